import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import type { Teardown } from '@filewright/testing'

export async function launchBrowser(t: Teardown, executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  t.teardown(async () => await browser.close())
  return browser
}

export interface ConsolePageOptions {
  baseUrl: string
  /** Signs in by the URL that the local stack prints. */
  token?: string
  theme?: 'light' | 'dark'
  width?: number
}

export interface ConsolePage {
  page: Page
  /** Forbidden events: script errors, Content-Security-Policy violations, requests to other hosts. */
  problems: string[]
  /** Saved to the folder SCREENSHOTS, if set. */
  screenshot: (name: string) => Promise<void>
}

/** The browser logs every error response; the tests cause those themselves. */
const isExpected = (text: string): boolean => text.startsWith('Failed to load resource')

/** The source of a Content-Security-Policy violation, which the browser's own log line lacks. */
const REPORT_BREACHES = `addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile, lineNumber, target }) => {
  console.error('breach of ' + violatedDirective, sourceFile, lineNumber, String(target?.outerHTML).slice(0, 300))
})`

/**
 * Opens its own browser context, which closes at the test's end: an open page keeps rendering and polling.
 */
export async function openConsole(
  t: Teardown,
  browser: Browser,
  { baseUrl, token, theme = 'light', width = 1360 }: ConsolePageOptions
): Promise<ConsolePage> {
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width, height: 860 },
    permissions: ['clipboard-read', 'clipboard-write']
  })
  t.teardown(async () => await context.close())
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => {
    problems.push(`error: ${error.message}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message.text())) problems.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(baseUrl) && !/^(blob|data|about|chrome-extension):/.test(url)) {
      problems.push(`request: ${url}`)
    }
  })
  await page.addInitScript(REPORT_BREACHES)
  await page.goto(token === undefined ? `${baseUrl}/` : `${baseUrl}/#token=${encodeURIComponent(token)}`)
  if (token !== undefined) await page.locator('.top-bar').waitFor()
  return {
    page,
    problems,
    screenshot: async (name) => {
      const folder = process.env.SCREENSHOTS
      if (folder === undefined) return
      await mkdir(folder, { recursive: true })
      // Playwright would hide the caret by an inline style, which the Content-Security-Policy forbids.
      await page.screenshot({
        caret: 'initial',
        path: join(folder, `${name}-${theme}-${width}.png`)
      })
    }
  }
}

/**
 * Empties the editor first: Chromium would insert the text over other text like an input method, with inline
 * styles.
 */
export async function writeCode(page: Page, code: string): Promise<void> {
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(code)
}

/** Uses the button in the bar or, on a phone, the one in the account menu. */
export async function clickSignOut(page: Page): Promise<void> {
  const button = page.locator('.top-bar').getByRole('button', { name: 'Sign out' })
  if (!(await button.isVisible())) await page.getByRole('button', { name: /^Account/ }).click()
  await button.click()
}

/** Answers the question about unsaved code, if there is one. */
export async function signOut(page: Page): Promise<void> {
  const question = page.getByRole('dialog').getByRole('button', { name: 'Sign out' })
  const form = page.getByLabel('Access token')
  await clickSignOut(page)
  await question.or(form).waitFor()
  if (await question.isVisible()) await question.click()
  await form.waitFor()
}

export interface FileToDrop {
  /** With its folders, if any: `photos/2026/a.png`. */
  path: string
  content: string | Buffer
}

/** Uses the button, because playwright cannot drop system files. */
export async function chooseFiles(page: Page, files: readonly FileToDrop[]): Promise<void> {
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(
      files.map(({ path, content }) => ({
        name: path,
        mimeType: 'application/octet-stream',
        buffer: Buffer.from(content)
      }))
    )
}

/**
 * Drops files and folders on the page. Scripts cannot create a drop with folders, so the page gets the
 * entries that a browser would create.
 */
export async function dropFiles(page: Page, files: readonly FileToDrop[]): Promise<void> {
  const given = files.map(({ path, content }) => ({ path, base64: Buffer.from(content).toString('base64') }))
  await page.evaluate(`(${dropInPage})(${JSON.stringify(given)})`)
}

const dropInPage = `(given) => {
  const root = new Map()
  for (const { path, base64 } of given) {
    const names = path.split('/')
    let folder = root
    for (const name of names.slice(0, -1)) {
      if (!folder.has(name)) folder.set(name, new Map())
      folder = folder.get(name)
    }
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    folder.set(names.at(-1), new File([bytes], names.at(-1)))
  }
  const entryOf = ([name, content]) => {
    if (content instanceof File) return { name, isFile: true, file: (done) => done(content) }
    let left = [...content].map(entryOf)
    return {
      name,
      isFile: false,
      createReader: () => ({ readEntries: (done) => done(left.splice(0, 100)) })
    }
  }
  const items = [...root].map((each) => ({ kind: 'file', webkitGetAsEntry: () => entryOf(each) }))
  const send = (type) => {
    const event = new DragEvent(type, { bubbles: true, cancelable: true })
    Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items } })
    document.getElementById('main').dispatchEvent(event)
  }
  for (const type of ['dragenter', 'dragover', 'drop']) send(type)
}`
