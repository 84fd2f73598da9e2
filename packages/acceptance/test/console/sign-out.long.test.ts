import type { BrowserContext, Page } from 'playwright-core'
import t from 'tap'
import { Filewright } from '@filewright/client'
import { poll, shareStack } from '@filewright/testing'
import {
  admin,
  chooseFiles,
  findChromium,
  launchBrowser,
  NO_CHROMIUM,
  openConsole,
  signOut,
  writeCode
} from '../../src/index.js'

t.setTimeout(600_000)

const SECRET = 'const secretOfAlice = 1'
const QUEUED = 40
/** One step, until the page has handled its event. */
const BACK = `new Promise((done) => {
  addEventListener('popstate', () => setTimeout(done), { once: true })
  history.back()
})`

const executablePath = findChromium()
if (executablePath === undefined) {
  t.test('signing out of the console', { skip: NO_CHROMIUM }, async () => {})
} else {
  const stack = await shareStack(t)
  const { baseUrl, token: localToken } = stack
  const browser = await launchBrowser(t, executablePath)
  const createToken = async (name: string): Promise<string> =>
    (await admin(stack.dataDir, 'token', 'create', '--name', name, '--project', 'shared,other')).token
  const alice = await createToken('alice')
  const usageOf = async (token: string) => (await new Filewright({ baseUrl, token }).service()).usage

  async function signIn(page: Page, token: string, { keep = false } = {}): Promise<void> {
    await page.getByLabel('Access token').fill(token)
    if (keep) await page.getByLabel('Keep me signed in').check()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.top-bar').waitFor()
  }
  const codeOf = async (page: Page): Promise<string> => {
    await page.goto(`${baseUrl}/#/code/analyze`)
    await page.locator('.code-editor[aria-busy=false]').waitFor()
    const [text = '', placeholder = ''] = await Promise.all([
      page.locator('.cm-content').innerText(),
      page
        .locator('.cm-placeholder')
        .allInnerTexts()
        .then((texts) => texts.join())
    ])
    return text.replace(placeholder, '').trim()
  }
  const writeCodeIn = async (page: Page): Promise<void> => {
    await page.goto(`${baseUrl}/#/code/analyze`)
    await writeCode(page, SECRET)
  }
  /** Everything that the browser stores for this origin, for all tabs. */
  const storedTexts = async (page: Page): Promise<string> =>
    String(
      await page.evaluate(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])'
      )
    )
  /** Goes back to the first page of this document, and returns what each entry shows on the way. */
  async function entriesBehind(page: Page) {
    // The first entry is the blank page of a new tab.
    const count = Number(await page.evaluate('history.length')) - 2
    const entries: Array<{ address: string; text: string; kept: string }> = []
    for (let step = 0; step < count; step++) {
      await page.evaluate(BACK)
      entries.push({
        address: String(await page.evaluate('location.href')),
        text: await page.locator('body').innerText(),
        kept: await storedTexts(page)
      })
    }
    if (count < 3) throw new Error(`only ${count} entries`)
    return entries
  }
  const newTab = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(baseUrl)
    return page
  }
  const newTabOf = async (page: Page, token: string): Promise<Page> => {
    const tab = await newTab(page.context())
    await signIn(tab, token)
    return tab
  }

  t.test(
    'nothing of a user who signs out continues, is sent with the next token or is shown to the next user',
    async (t) => {
      const bob = await createToken('bob')
      const { page, problems } = await openConsole(t, browser, { baseUrl })
      const sentAsBob: string[] = []
      page.on('request', (request) => {
        if (request.headers()['authorization'] === `Bearer ${bob}`) sentAsBob.push(request.url())
      })
      await signIn(page, alice)
      await page.goto(`${baseUrl}/#/code/generate`)
      await writeCode(page, SECRET)
      await page.getByLabel('What should be written?').fill('the prompt of alice')
      await page.goto(`${baseUrl}/#/files/shared/folder-of-alice`)
      const devtools = await page.context().newCDPSession(page)
      const speed = { offline: false, latency: 0, downloadThroughput: -1 }
      await devtools.send('Network.emulateNetworkConditions', { ...speed, uploadThroughput: 20_000 })
      await chooseFiles(
        page,
        Array.from({ length: QUEUED }, (_, i) => ({
          path: `of-alice-${i}.txt`,
          content: `${i} a line of text\n`.repeat(10_000)
        }))
      )
      await page.getByText(`${QUEUED - 4} more files waiting`).waitFor()
      // The console searches after a pause: the sign-out comes before its end.
      await page.getByRole('searchbox').fill('searched-by-alice')

      await signOut(page)
      t.notMatch(await storedTexts(page), /alice|secret|fw_/i)
      await devtools.send('Network.emulateNetworkConditions', { ...speed, uploadThroughput: -1 })
      await signIn(page, bob)
      t.equal(page.url(), `${baseUrl}/#/files`)
      t.equal(await page.locator('.tray').count(), 0)
      await page.goto(`${baseUrl}/#/files/other`)
      t.equal(await page.getByRole('searchbox').inputValue(), '')
      await chooseFiles(page, [{ path: 'of-bob.txt', content: 'bob' }])
      await page.getByText(/^[0-9]+ files? uploaded/).waitFor()

      t.match(await usageOf(bob), { files: 1, bytes: 3 })
      t.equal(sentAsBob.filter((url) => url.endsWith('/upload')).length, 1)
      t.match(await usageOf(alice), { files: 0 }, 'her own uploads ended, too')
      t.equal(await codeOf(page), '')
      await page.goto(`${baseUrl}/#/code/generate`)
      t.equal(await page.getByLabel('What should be written?').inputValue(), '')
      for (const { address, text, kept } of await entriesBehind(page)) {
        t.notMatch(`${address} ${text} ${kept}`, /alice|secret/i)
      }
      t.strictSame(problems, [])
    }
  )

  t.test('a late response does not reach the next user', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl })
    await signIn(page, alice)
    await page.goto(`${baseUrl}/#/code/analyze`)
    await writeCode(page, SECRET)
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const held: string[] = []
    await page.route(/\/api\/(files\/upload|ai\/analyze)$/, async (route) => {
      held.push(route.request().url())
      await released
      await route.continue().catch(() => {})
    })
    await page.getByRole('button', { name: 'Analyze', exact: true }).click()
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByLabel('File name').fill('saved-by-alice.js')
    await page.getByRole('dialog').getByLabel('Project').fill('shared')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await poll(async () => held.length === 2)

    // A modal dialog hides the button from the pointer; another tab can still sign out.
    await signOut(await newTabOf(page, alice))
    await page.getByLabel('Access token').waitFor()
    const bob = await createToken('bob')
    await signIn(page, bob)
    release()
    await page.unrouteAll({ behavior: 'wait' })
    await page.goto(`${baseUrl}/#/files/other`)
    await chooseFiles(page, [{ path: 'late-of-bob.txt', content: 'bob' }])
    await page.getByText('1 file uploaded').waitFor()

    t.equal(await codeOf(page), '')
    t.notMatch(await page.locator('body').innerText(), /alice|secret/i)
    t.equal(await page.getByRole('heading', { name: 'Untitled' }).count(), 1)
    t.equal(await page.getByText('Findings appear here').count(), 1)
    t.strictSame(problems, [])
  })

  t.test('a sign-out affects every tab, also one that is restored later', async (t) => {
    const { page: first } = await openConsole(t, browser, { baseUrl })
    const context = first.context()
    await signIn(first, alice)
    const second = await newTabOf(first, alice)
    await writeCodeIn(second)
    const restored = String(await second.evaluate('JSON.stringify({ ...sessionStorage })'))

    await signOut(first)
    await second.getByLabel('Access token').waitFor()
    await second.getByText('signed out in another tab').waitFor()
    t.notMatch(await storedTexts(second), /alice|secret|fw_/i)
    t.notMatch(await second.locator('body').innerText(), /secret/)
    // Simulates "Reopen closed tab".
    const third = await context.newPage()
    await third.addInitScript(
      `if (location.protocol !== 'about:') Object.assign(sessionStorage, ${restored})`
    )
    await third.goto(baseUrl)

    await third.getByLabel('Access token').waitFor()
    t.notMatch(await storedTexts(third), /fw_/)
  })

  t.test('another token on the device ends what other tabs show of the previous one', async (t) => {
    const bob = await createToken('bob')
    const { page: first } = await openConsole(t, browser, { baseUrl })
    const second = await newTab(first.context())
    await signIn(first, alice, { keep: true })
    await writeCodeIn(first)

    await signIn(second, bob, { keep: true })
    await first.getByText('signed in with another token in another tab').waitFor()
    t.notMatch(await first.locator('body').innerText(), /secret/)
    const asked: string[] = []
    first.on('request', (request) => asked.push(request.headers()['authorization'] ?? ''))
    await first.reload()
    await first.locator('.top-bar').waitFor()

    t.equal(await codeOf(first), '')
    t.strictSame(
      new Set(asked.filter((header) => header !== '')),
      new Set([`Bearer ${bob}`]),
      'a reload uses the token of the device'
    )
  })

  t.test('the code survives a revoked token for a user who knows that token', async (t) => {
    const revoke = async (name: string): Promise<void> => {
      await admin(stack.dataDir, 'token', 'revoke', name)
    }
    const open = async (name: string) => {
      const token = await createToken(name)
      const { page } = await openConsole(t, browser, { baseUrl })
      await signIn(page, token)
      await writeCodeIn(page)
      await revoke(name)
      await page.getByRole('button', { name: 'Analyze', exact: true }).click()
      await page.getByText('no longer accepts your token').waitFor()
      t.notMatch(await page.locator('body').innerText(), /secret/)
      t.notMatch(await storedTexts(page), /secret|fw_/)
      return { page, token }
    }

    const { page, token } = await open('carol')
    await page.getByLabel('Previous token').fill('fw_something-else')
    await page.getByLabel('Access token').fill(alice)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This is not the token').waitFor()
    await page.getByLabel('Previous token').fill(token)
    await signIn(page, alice)
    t.equal(await codeOf(page), SECRET)

    const { page: other } = await open('dave')
    await signIn(other, alice)
    t.equal(await codeOf(other), '', 'without it nobody sees the code')
  })

  t.test('a link with a token asks before it signs in, and is removed from the history', async (t) => {
    const bob = await createToken('bob-of-the-link')
    const { page, problems } = await openConsole(t, browser, { baseUrl })
    const question = page.getByRole('dialog')

    await page.goto(`${baseUrl}/#token=${bob}`)
    await question.getByText('bob-of-the-link').waitFor()
    t.match(await question.innerText(), new URL(baseUrl).host)
    t.match(await question.innerText(), bob.slice(0, 6))
    t.notMatch(await question.innerText(), bob)
    t.notMatch(await storedTexts(page), bob)
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.getByLabel('Access token').waitFor()
    t.equal(await page.locator('.top-bar').count(), 0)

    await signIn(page, alice)
    await writeCodeIn(page)
    await page.goto(`${baseUrl}/#token=${bob}`)
    await question.getByText('signs you out').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    t.equal(page.url(), `${baseUrl}/#/code/analyze`)
    t.equal(await codeOf(page), SECRET, 'refused, nothing has changed')

    await page.goto(`${baseUrl}/#token=${bob}`)
    await question.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await page.getByText('bob-of-the-link').waitFor()
    t.equal(await codeOf(page), '')
    for (const { address } of await entriesBehind(page)) t.notMatch(address, 'token=')
    t.strictSame(problems, [])
  })

  t.test("the banner's link signs in at once, unless another user is signed in", async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl })

    await page.goto(`${baseUrl}/#token=${localToken}`)
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await signOut(page)
    await signIn(page, alice)
    await page.goto(`${baseUrl}/#token=${localToken}`)
    await page.getByRole('dialog').getByText('signs you out').waitFor()
    await page.goto(`${baseUrl}/#token=`)

    await poll(async () => !page.url().includes('token='))
    t.equal(await page.evaluate('location.hash'), '#/files')
  })
}
