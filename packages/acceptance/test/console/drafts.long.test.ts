import type { Page } from 'playwright-core'
import t from 'tap'
import { poll } from '@filewright/testing'
import { openConsole, writeCode, testConsole } from '../../src/index.js'

const CODE = 'const unsaved = "work of an hour"\n'

const codeOf = async (page: Page): Promise<string> =>
  (await page.locator('.cm-line').allTextContents()).join('\n')

const kept = async (page: Page): Promise<string> =>
  String(await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])'))

const openPages = async (page: Page): Promise<number> =>
  String(
    await page.evaluate('navigator.locks.query().then(({ held }) => held.map(({ name }) => name).join())')
  ).split('filewright-draft-').length - 1

await testConsole(t, 'unsaved code in the console', async ({ baseUrl, token, browser, client }) => {
  const store = async (name: string, text: string): Promise<string> =>
    (await client.files.upload(new Blob([text]), { projectId: 'drafts', name })).id

  t.test('leaving with unsaved code asks, and a reload brings the code back', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await page.goto(`${baseUrl}/#/code/analyze`)
    await writeCode(page, CODE)

    await page.reload()
    await poll(async () => (await codeOf(page)) === CODE)

    t.strictSame(asked, ['beforeunload'])
    t.match(await page.title(), /^Untitled \(unsaved\)/)
    t.strictSame(problems, [])
  })

  t.test('a prompt survives another tab of the workspace, another view, a reload and Back', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/code/generate`)
    const prompt = page.getByLabel('What should be written?')
    await prompt.fill('a queue with priorities')

    await page.getByRole('link', { name: 'Optimize' }).click()
    await page.getByRole('link', { name: 'Generate' }).click()
    t.equal(await prompt.inputValue(), 'a queue with priorities')
    await page.goto(`${baseUrl}/#/files`)
    await page.goBack()
    t.equal(await prompt.inputValue(), 'a queue with priorities')
    await page.reload()
    await prompt.waitFor()
    t.equal(await prompt.inputValue(), 'a queue with priorities')
    t.notMatch(await page.title(), 'unsaved')

    await page.route(
      '**/api/**',
      async (route) => await route.fulfill({ status: 401, json: { error: 'Unauthorized' } })
    )
    await page.getByRole('link', { name: 'Service' }).click()
    const field = page.getByLabel('Access token').first()
    await field.waitFor()
    await page.unroute('**/api/**')
    await field.fill(token)
    await page.keyboard.press('Enter')
    await page.locator('.top-bar').waitFor()
    await page.goto(`${baseUrl}/#/code/generate`)
    t.equal(await prompt.inputValue(), 'a queue with priorities')
    t.strictSame(problems, [])
  })

  t.test('an opened file is in the URL, and unsaved changes to it survive a reload', async (t) => {
    const id = await store('stored.js', 'let stored = 1\n')
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/drafts?file=${id}`)
    await page.getByRole('link', { name: 'Open in Code' }).click()
    await page.getByRole('heading', { name: 'stored.js' }).waitFor()
    t.match(page.url(), `#/code/analyze?file=${id}`)

    await page.reload()
    await page.getByRole('heading', { name: 'stored.js' }).waitFor()
    await poll(async () => (await codeOf(page)) === 'let stored = 1\n')
    await writeCode(page, CODE)
    await page.getByRole('link', { name: 'Optimize' }).click()
    await page.reload()
    await page.getByRole('heading', { name: 'stored.js' }).waitFor()
    await poll(async () => (await codeOf(page)) === CODE)
    t.match(page.url(), `#/code/optimize?file=${id}`)
  })

  t.test('another file replaces unsaved code only after a question', async (t) => {
    const id = await store('other.js', 'let other = 1\n')
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/code/analyze`)
    await writeCode(page, CODE)

    await page.goto(`${baseUrl}/#/code/analyze?file=${id}`)
    await page.getByRole('heading', { name: /^Discard your changes/ }).waitFor()
    await page.keyboard.press('Escape')
    t.equal(await codeOf(page), CODE)
    t.notMatch(page.url(), id)

    await page.goto(`${baseUrl}/#/code/analyze?file=${id}`)
    await page.getByRole('button', { name: 'Discard the changes' }).click()
    await poll(async () => (await codeOf(page)) === 'let other = 1\n')
  })

  t.test('code of a crashed tab is offered to the user who stays signed in on the device', async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl })
    await page.getByLabel('Access token').fill(token)
    await page.getByLabel('Keep me signed in on this device').check()
    await page.keyboard.press('Enter')
    await page.locator('.top-bar').waitFor()
    await page.goto(`${baseUrl}/#/code/analyze`)
    await writeCode(page, CODE)
    await poll(async () => (await kept(page)).includes('work of an hour'))

    const next = await page.context().newPage()
    await next.goto(`${baseUrl}/#/code/analyze`)
    await next.locator('.cm-content').waitFor()
    t.equal(await next.getByText('Unsaved code of a closed tab').count(), 0, 'not while the tab is open')
    await page.close()
    // The browser reports the page as closed before it releases the page's locks.
    await poll(async () => (await openPages(next)) === 1)
    await next.reload()
    await next.getByText('Unsaved code of a closed tab').waitFor()
    await next.getByRole('button', { name: 'Restore' }).click()
    await poll(async () => (await codeOf(next)) === CODE)
    await next.getByText('Unsaved code of a closed tab').waitFor({ state: 'detached' })
  })

  t.test('signing out asks, and deletes the drafts', async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/code/analyze`)
    await writeCode(page, CODE)
    await poll(async () => (await kept(page)).includes('work of an hour'))

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign out and lose unsaved code?' }).waitFor()
    await page.keyboard.press('Escape')
    t.equal(await codeOf(page), CODE)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Access token').waitFor()

    t.notMatch(await kept(page), 'work of an hour')
  })
})
