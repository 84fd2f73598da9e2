// Takes the README's screenshots from a running stack, in light and dark: `npm run screenshots`, with the
// DATA_DIR and PORT of that stack.
import { launch, openConsole, savePicture, themes, writeCode } from './running-console.mjs'

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

const browser = await launch()
try {
  for (const theme of themes) {
    const page = await openConsole(browser, { theme, width: 1280, height: 800 })
    await writeCode(page, CODE)
    await page.getByRole('button', { name: 'Analyze', exact: true }).click()
    await page.locator('.findings li').first().waitFor()
    // Playwright would hide the caret by an inline style, which the Content-Security-Policy forbids.
    await savePicture(`console-${theme}.png`, await page.screenshot({ caret: 'initial' }))
    await page.context().close()
  }
} finally {
  await browser.close()
}
