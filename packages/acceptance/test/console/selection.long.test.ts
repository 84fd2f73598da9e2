import type { Page } from 'playwright-core'
import t from 'tap'
import { accessibilityProblems, openConsole, testConsole } from '../../src/index.js'

const NAMES = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']

await testConsole(t, 'a selection of rows', async ({ baseUrl, token, browser, client }) => {
  await client.files.upload(new Blob(['below']), { projectId: 'rows', folder: 'sub', name: 'below.txt' })
  for (const name of NAMES) await client.files.upload(new Blob([name]), { projectId: 'rows', name })

  const row = (page: Page, name: string) =>
    page.locator('.files tbody tr').filter({ has: page.getByText(name, { exact: true }) })
  const selectedIn = async (page: Page): Promise<string[]> =>
    await page.locator('.files tbody tr[data-selected=true] .column-name bdi').allTextContents()
  const openRows = async (t: Parameters<typeof openConsole>[0]) => {
    const opened = await openConsole(t, browser, { baseUrl, token })
    await opened.page.goto(`${baseUrl}/#/files/rows?sort=name`)
    await row(opened.page, 'e.txt').waitFor()
    return opened
  }

  t.test('a click and a click with Shift select the rows between them', async (t) => {
    const { page, problems } = await openRows(t)
    const link = (name: string) => page.locator('.files').getByRole('link', { name })

    await link('b.txt').click()
    await page.getByRole('heading', { name: 'b.txt' }).waitFor()
    await link('d.txt').click({ modifiers: ['Shift'] })
    t.strictSame(await selectedIn(page), ['b.txt', 'c.txt', 'd.txt'])
    t.equal(page.context().pages().length, 1, 'no other window')
    t.equal(await page.evaluate('getSelection().toString()'), '', 'no text is selected')

    await link('a.txt').click({ modifiers: ['Shift'] })
    t.strictSame(await selectedIn(page), ['a.txt', 'b.txt'], 'the second range replaces the first')

    await row(page, 'e.txt').locator('.column-size').click()
    t.strictSame(await selectedIn(page), ['a.txt', 'b.txt', 'e.txt'], 'a click beside the name adds the row')
    await row(page, 'sub')
      .locator('.column-size')
      .click({ modifiers: ['Shift'] })
    t.strictSame(await selectedIn(page), ['sub', ...NAMES], 'folders are rows as well')
    await page.getByText('1 folder, 5 files selected').waitFor()
    t.strictSame(await accessibilityProblems(page), [])
    t.strictSame(problems, [])
  })

  t.test('a checkbox and a checkbox with Shift select and deselect the rows between them', async (t) => {
    const { page, problems } = await openRows(t)
    const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })

    await box('a.txt').click()
    await box('e.txt').click({ modifiers: ['Shift'] })
    t.strictSame(await selectedIn(page), NAMES)

    await box('b.txt').click()
    await box('d.txt').click({ modifiers: ['Shift'] })
    t.strictSame(await selectedIn(page), ['a.txt', 'e.txt'])
    t.equal(await box('c.txt').isChecked(), false)

    await page.getByRole('button', { name: 'Clear the selection' }).click()
    await box('c.txt').click({ modifiers: ['Shift'] })
    t.strictSame(await selectedIn(page), ['b.txt', 'c.txt'], 'a new selection after the old one was cleared')
    t.strictSame(problems, [])
  })

  t.test('Shift and an arrow extend and shrink the selection', async (t) => {
    const { page, problems } = await openRows(t)

    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await row(page, 'a.txt').getByRole('link').and(page.locator(':focus')).waitFor()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(`Shift+${key}`)
    t.strictSame(await selectedIn(page), ['a.txt', 'b.txt'])

    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
    await page.keyboard.press('Shift+ArrowDown')
    t.strictSame(await selectedIn(page), ['a.txt', 'b.txt', 'd.txt', 'e.txt'], 'a second range is added')
    t.strictSame(problems, [])
  })

  t.test('the trash selects in the same way', async (t) => {
    for (const name of NAMES) {
      const { id } = await client.files.upload(new Blob([name]), { projectId: 'rows-trash', name })
      await client.files.delete(id)
    }
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/trash/rows-trash`)
    await row(page, 'e.txt').waitFor()

    await page.getByRole('checkbox', { name: 'Select e.txt' }).click()
    await row(page, 'b.txt')
      .locator('.column-size')
      .click({ modifiers: ['Shift'] })

    t.strictSame(await selectedIn(page), ['e.txt', 'd.txt', 'c.txt', 'b.txt'])
    t.strictSame(problems, [])
  })
})
