import t from 'tap'
import { startStack } from '@filewright/testing'
import { chooseFiles, eicar, findChromium, launchBrowser, NO_CHROMIUM, openConsole } from '../../src/index.js'

t.setTimeout(180_000)

const executablePath = findChromium()
if (executablePath === undefined) {
  t.test('the console in a browser', { skip: NO_CHROMIUM }, async () => {})
} else {
  const stack = await startStack(t)
  const browser = await launchBrowser(t, executablePath)
  const { baseUrl, token } = stack

  t.test('signs in with a token, and reports a refused one', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl })

    await page.getByLabel('Access token').fill('no-such-token')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('does not accept the token').waitFor()
    await page.getByLabel('Access token').fill(token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    t.strictSame(
      await page.evaluate('localStorage.getItem("filewright-token")'),
      null,
      'kept for the tab alone'
    )

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Access token').waitFor()
    t.strictSame(problems, [])
  })

  t.test("the banner's address signs in at once and leaves no token behind", async (t) => {
    t.match(stack.output(), `Console     ${baseUrl}/#token=${token}`)

    const { page, problems } = await openConsole(t, browser, { baseUrl, token })

    t.equal(page.url(), `${baseUrl}/#/files`)
    await page.goBack()
    t.notMatch(page.url(), 'token=', 'not in the history either')
    t.strictSame(problems, [])
  })

  t.test('files are uploaded and listed; a refused one shows its reason', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })

    await chooseFiles(page, [
      { path: 'notes.md', content: '# Notes\n' },
      { path: 'bad.txt', content: eicar },
      { path: 'مرحبا.txt', content: 'hello' }
    ])
    await page.getByRole('dialog').getByLabel('Project').fill('first')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('2 files uploaded · 1 refused').waitFor()
    await page.getByText('Malware was found in the file.').waitFor()

    await page.getByRole('link', { name: 'notes.md' }).waitFor()
    t.equal(await page.locator('.files tbody tr').count(), 2)
    t.strictSame(problems, [])
  })
}
