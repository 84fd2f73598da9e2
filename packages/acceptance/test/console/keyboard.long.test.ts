import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { openConsole, testConsole } from '../../src/index.js'

const CODE = 'export function first (list) {\nvar a = list[0]\nreturn a\n}\n'

/** More than any view has before one of its controls. */
const MAX_TABS = 80

/** Faster than any user: the control is pressed as soon as it has the focus again. */
const PRESS_WHEN_FOCUSED = `{
  const control = document.activeElement
  control.addEventListener('focus', () => control.click(), { once: true })
}`

/** Presses Tab until the control has the focus, like a keyboard user. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  // An analysis may take long on a busy machine.
  await wanted.waitFor({ timeout: 120_000 })
  for (let i = 0; i < MAX_TABS; i++) {
    await page.keyboard.press('Tab')
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return
  }
  throw new Error(`Tab does not lead to ${String(wanted)}`)
}

await testConsole(t, 'the console without a mouse', async ({ baseUrl, token, browser, client }) => {
  t.test('files are uploaded, viewed and deleted with the keyboard only', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl })
    const button = (name: string): Locator => page.getByRole('button', { name, exact: true })
    const details = page.getByRole('complementary', { name: 'Details' })
    // Intercepts file dialogs. The listener must exist before the dialog opens.
    page.on('filechooser', () => {})
    await tabTo(page, page.getByLabel('Access token'))
    await page.keyboard.type(token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Projects' }).waitFor()

    await tabTo(page, button('Upload files'))
    t.not(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'none')
    const chooser = page.waitForEvent('filechooser')
    await page.keyboard.press('Enter')
    const files = ['a.txt', 'b.txt'].map((name) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(name)
    }))
    await (await chooser).setFiles(files)
    await tabTo(page, page.getByRole('dialog').getByLabel('Project'))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('keys')
    await page.keyboard.press('Enter')
    await page.getByText('2 files uploaded').waitFor()

    const row = page.locator('.files').getByRole('link', { name: 'a.txt' })
    await tabTo(page, row)
    await page.keyboard.press('Enter')
    await details.getByText('SHA-256').waitFor()
    t.equal(await page.locator(':focus').textContent(), 'a.txt', 'the focus is in the details')
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
    await row.and(page.locator(':focus')).waitFor()

    await tabTo(page, page.getByRole('checkbox', { name: 'Select b.txt' }))
    await page.keyboard.press('Space')
    await tabTo(page, button('Delete'))
    await page.evaluate(PRESS_WHEN_FOCUSED)
    await page.keyboard.press('Enter')
    const question = page.getByRole('heading', { name: 'Delete “b.txt”?' })
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor()
    await tabTo(page, button('Delete 1 file'))
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'b.txt' }).waitFor({ state: 'detached' })
    await page.locator('#main:focus').waitFor()

    t.equal((await client.files.list({ projectId: 'keys' })).pagination.total, 1)
    t.strictSame(problems, [])
  })

  t.test('code is analyzed, a finding visited and a rewrite applied with the keyboard only', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    const link = (name: string): Locator => page.getByRole('link', { name, exact: true })
    const button = (name: string): Locator => page.getByRole('button', { name, exact: true })
    await tabTo(page, link('Code'))
    await page.keyboard.press('Enter')
    await tabTo(page, page.locator('.cm-content'))
    await page.keyboard.insertText(CODE)

    // Tab indents in the editor; Escape before it leaves.
    await page.keyboard.press('Escape')
    await tabTo(page, button('Analyze'))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: /Line 2/ }).first())
    await page.keyboard.press('Enter')
    t.equal(await page.locator('.cm-activeLine').textContent(), 'var a = list[0]')
    await page.locator('.cm-content:focus').waitFor()

    await page.keyboard.press('Escape')
    await tabTo(page, link('Optimize'))
    await page.keyboard.press('Enter')
    await tabTo(page, button('Optimize'))
    await page.keyboard.press('Enter')
    await tabTo(page, button('Apply to the editor'))
    await page.keyboard.press('Enter')
    await page.getByText('The rewrite is in the editor.').waitFor()
    t.match((await page.locator('.cm-line').allTextContents()).join('\n'), 'const a = list[0]')
    t.strictSame(problems, [])
  })
})
