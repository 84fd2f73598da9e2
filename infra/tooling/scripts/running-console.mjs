// The console of the running stack in Chromium, for pictures: the stack is found by its DATA_DIR and PORT.
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

export const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../..')
const FOLDER = join(ROOT, 'docs', 'images')
/** A README that takes longer to load is not read. */
const MAX_BYTES = 300_000

const { PORT = '3000', DATA_DIR = join(ROOT, '.data'), CHROMIUM = '/usr/bin/chromium' } = process.env

/** Both pictures of a `<picture>`. */
export const themes = /** @type {const} */ (['light', 'dark'])
export const baseUrl = `http://127.0.0.1:${PORT}`

/** @returns {Promise<string>} the token of the stack */
export const readToken = async () => (await readFile(join(DATA_DIR, 'access-token'), 'utf8')).trim()

export const launch = async () =>
  await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] })

/**
 * @param {import('playwright-core').Browser} browser
 * @param {{ theme: 'light' | 'dark', width: number, height: number }} look
 */
export async function openConsole(browser, { theme, width, height }) {
  const context = await browser.newContext({ colorScheme: theme, viewport: { width, height } })
  const page = await context.newPage()
  await page.goto(`${baseUrl}/#token=${encodeURIComponent(await readToken())}`)
  await page.locator('.top-bar').waitFor()
  return page
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} code
 */
export async function writeCode(page, code) {
  await page.goto(`${baseUrl}/#/code/analyze`)
  await page.locator('.cm-content').click()
  await page.keyboard.insertText(code)
}

/**
 * @param {string} name
 * @param {string | Uint8Array} content
 */
export async function savePicture(name, content) {
  const path = join(FOLDER, name)
  await writeFile(path, content)
  const { size } = await stat(path)
  if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MAX_BYTES}`)
  console.log(`${relative(ROOT, path)}: ${size} bytes`)
}
