import t from 'tap'
import { accessibilityProblems, openConsole, writeCode, testConsole } from '../../src/index.js'

await testConsole(t, 'shortcuts of the console', async ({ baseUrl, token, browser, client }) => {
  for (const name of ['needle.txt', 'other.txt', 'third.txt']) {
    await client.files.upload(new Blob([name]), { projectId: 'shortcuts', folder: 'deep', name })
  }

  t.test('Ctrl+K leads to a project, a file and an action', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/shortcuts`)
    await page.getByRole('link', { name: 'deep' }).first().waitFor()

    await page.keyboard.press('Control+k')
    await page.keyboard.type('needle')
    await page.getByRole('option', { name: 'needle.txt' }).waitFor()
    t.strictSame(await accessibilityProblems(page), [])
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Details' }).getByText('SHA-256').waitFor()
    t.match(page.url(), '#/files/shortcuts/deep?file=')
    await page.getByRole('button', { name: 'Copy API address' }).waitFor()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor()
    t.match(await page.evaluate('navigator.clipboard.readText()'), '/files/')

    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Optimize' }).waitFor()
    await page.keyboard.type('optim')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Optimize', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('shortcuts')
    await page.getByRole('option', { name: 'shortcuts Project' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'shortcuts' }).waitFor()
    t.strictSame(problems, [])
  })

  t.test(
    'the palette shows the places of files with the same name, beside a file with a long name',
    async (t) => {
      const name = 'twin.txt'
      await client.files.upload(new Blob(['long']), {
        projectId: 'twins',
        name: `twin ${'of many '.repeat(20)}.txt`
      })
      for (const folder of ['left', 'right']) {
        await client.files.upload(new Blob([folder]), { projectId: 'twins', folder, name })
      }
      const { page } = await openConsole(t, browser, { baseUrl, token })
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(`${baseUrl}/#/files/twins`)
      await page.getByRole('link', { name: 'left' }).first().waitFor()

      await page.keyboard.press('Control+k')
      await page.keyboard.type('twin')
      await page.getByRole('option', { name: 'twins/right' }).waitFor()

      const wholePlaces = await page.evaluate(`[...document.querySelectorAll('[role=option]')]
      .map((row) => ({ end: row.parentElement.getBoundingClientRect().right, place: row.lastElementChild }))
      .filter(({ end, place }) =>
        place.getBoundingClientRect().right <= end && place.scrollWidth <= place.clientWidth)
      .map(({ place }) => place.textContent)
      .sort()`)
      t.match(wholePlaces, ['Project', 'twins/left', 'twins/right'])
    }
  )

  t.test('text typed while the palette loads appears in its field', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/shortcuts`)
    await page.getByRole('link', { name: 'deep' }).first().waitFor()
    let arrive = (): void => {}
    const typed = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.route('**/part-*.js', async (route) => {
      await typed
      await route.continue()
    })

    await page.keyboard.press('Control+k')
    await page.keyboard.type('need/x')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    arrive()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('le')

    t.equal(await page.getByRole('dialog').getByRole('combobox').inputValue(), 'needle')
    await page.getByRole('option', { name: 'needle.txt' }).waitFor()
    t.strictSame(problems, [])
  })

  t.test('arrows and Enter open a file, the slash searches, the question mark helps', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/shortcuts/deep?sort=name`)
    await page.getByRole('link', { name: 'third.txt' }).waitFor()

    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'other.txt' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'other.txt' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('a/b?c')
    t.equal(await page.getByRole('searchbox').inputValue(), 'a/b?c', 'keys in a field are text')
    await page.locator('main').focus()
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
    t.strictSame(await accessibilityProblems(page), [])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    t.strictSame(problems, [])
  })

  t.test('Ctrl+Enter runs the task without changing the code', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/code/analyze`)
    await writeCode(page, 'eval(input)')

    await page.keyboard.press('Control+Enter')
    await page.locator('.score').waitFor({ timeout: 120_000 })

    t.equal(await page.locator('.cm-line').count(), 1, 'no line is inserted')
    t.strictSame(problems, [])
  })
})
