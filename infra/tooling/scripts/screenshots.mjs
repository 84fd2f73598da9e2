// Takes the README's screenshots from a running stack, in light and dark: `node
// infra/tooling/scripts/screenshots.mjs`, with the DATA_DIR and PORT of that stack.
import { mkdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../..')
const FOLDER = join(ROOT, 'docs', 'images')
const MAX_BYTES = 300_000

const { PORT = '3000', DATA_DIR = join(ROOT, '.data'), CHROMIUM = '/usr/bin/chromium' } = process.env
const baseUrl = `http://127.0.0.1:${PORT}`

const CODE = `import express from 'express'
import { pool } from './database.js'

export const app = express()

app.get('/customers/:id', async (request, response) => {
  const result = await pool.query('SELECT * FROM customers WHERE id = ' + request.params.id)
  response.send('<h1>' + result.rows[0].name + '</h1>')
})

export async function totals (ids) {
  const totals = []
  for (const id of ids) {
    totals.push(await pool.query('SELECT sum(amount) FROM orders WHERE customer_id = $1', [id]))
  }
  return totals
}
`

const token = (await readFile(join(DATA_DIR, 'access-token'), 'utf8')).trim()
await mkdir(FOLDER, { recursive: true })
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-dev-shm-usage']
})
try {
  for (const theme of /** @type {const} */ (['light', 'dark'])) {
    const context = await browser.newContext({ colorScheme: theme, viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    await page.goto(`${baseUrl}/#token=${encodeURIComponent(token)}`)
    await page.locator('.top-bar').waitFor()
    await page.goto(`${baseUrl}/#/code/analyze`)
    await page.locator('.cm-content').click()
    await page.keyboard.insertText(CODE)
    await page.getByRole('button', { name: 'Analyze', exact: true }).click()
    await page.locator('.findings li').first().waitFor()
    const path = join(FOLDER, `console-${theme}.png`)
    // Playwright would hide the caret by an inline style, which the Content-Security-Policy forbids.
    await page.screenshot({ path, caret: 'initial' })
    const { size } = await stat(path)
    if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MAX_BYTES}`)
    console.log(`${path}: ${size} bytes`)
    await context.close()
  }
} finally {
  await browser.close()
}
