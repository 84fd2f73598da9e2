import t from 'tap'
import { poll } from '@filewright/testing'
import { openConsole, signOut, testConsole } from '../../src/index.js'

await testConsole(t, 'places in the console', async ({ baseUrl, token, browser, client }) => {
  const { id } = await client.files.upload(new Blob(['x']), {
    projectId: 'places',
    folder: 'inner',
    name: 'a.txt'
  })

  t.test(
    'the title of the tab names the current view, and nothing of a user who has signed out',
    async (t) => {
      const { page, problems } = await openConsole(t, browser, { baseUrl, token })
      const places = [
        ['#/files', 'Projects · Filewright'],
        ['#/files/places', 'places · Filewright'],
        ['#/files/places/inner', 'inner · places · Filewright'],
        [`#/files/places/inner?file=${id}`, 'a.txt · inner · places · Filewright'],
        ['#/files/places/inner?file=0123456789abcdefghijkl', 'File not found · places · Filewright'],
        ['#/code/optimize', 'Optimize · Code · Filewright'],
        ['#/trash/places', 'Trash · places · Filewright'],
        ['#/webhooks/places', 'Webhooks · places · Filewright'],
        ['#/history', 'History · Filewright'],
        ['#/service', 'Service · Filewright'],
        ['#/rules/js/no-eval', 'js/no-eval · Analysis rules · Filewright'],
        ['#/nowhere', 'Page not found · Filewright']
      ] as const
      for (const [hash, title] of places) {
        await page.goto(`${baseUrl}/${hash}`)
        await poll(async () => (await page.title()) === title).catch(() => {})
        t.equal(await page.title(), title)
      }
      await signOut(page)

      t.equal(await page.title(), 'Sign in · Filewright')
      t.strictSame(problems, [])
    }
  )

  t.test('a missing file and an unknown address show "not found"', async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl, token })

    await page.goto(`${baseUrl}/#/files/places?file=0123456789abcdefghijkl`)
    await page.getByRole('heading', { name: 'File not found' }).waitFor()
    await page.goto(`${baseUrl}/#/nowhere`)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    t.match(page.url(), '#/nowhere', 'the address can be corrected')
    await page.getByRole('link', { name: 'Show the projects' }).click()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
  })

  t.test('a slow list shows that it is loading', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/api\/(files|folders|projects|service|trash|webhooks)\b/, async (route) => {
      await released
      await route.continue()
    })

    for (const hash of ['#/files/places', '#/trash/places', '#/webhooks/places', '#/service', '#/files']) {
      await page.goto(`${baseUrl}/${hash}`)
      await page.getByRole('main').locator('.skeleton').waitFor()
    }
    release()
    await page.locator('.project-list').waitFor()

    t.equal(await page.locator('.skeleton').count(), 0)
    t.strictSame(problems, [])
  })

  t.test('a verdict of a scanner with test signatures only is not called clean', async (t) => {
    const { parts } = await client.service()
    const isTestOnly = parts.some(({ note }) => note === 'baseline-signatures')
    const { page } = await openConsole(t, browser, { baseUrl, token })

    await page.goto(`${baseUrl}/#/files/places/inner?file=${id}`)
    await page.locator('.verdict').waitFor()

    t.equal(
      await page.locator('.verdict').textContent(),
      isTestOnly ? 'Clean, test signatures only' : 'Clean'
    )
  })

  t.test('folders and files are selected and deleted together', async (t) => {
    for (const folder of ['one', 'one/deep', 'two', '']) {
      await client.files.upload(new Blob(['x']), { projectId: 'mixed', folder, name: 'a.txt' })
    }
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/mixed`)

    await page.getByRole('checkbox', { name: 'Select the folder one' }).check()
    await page.getByRole('checkbox', { name: 'Select a.txt' }).check()
    await page.getByText('1 folder, 1 file selected').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('heading', { name: 'Delete 1 folder and 3 files' }).waitFor()
    await page.getByRole('button', { name: 'Delete 3 files' }).click()
    await page.getByRole('checkbox', { name: 'Select the folder one' }).waitFor({ state: 'detached' })

    const { files } = await client.files.list({ projectId: 'mixed' })
    t.strictSame(
      files.map(({ folder }) => folder),
      ['two']
    )
  })
})
