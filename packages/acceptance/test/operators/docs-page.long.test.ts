import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Locator, type Page } from 'playwright-core'
import t from 'tap'
import { shareStack } from '@filewright/testing'
import { findChromium, NO_CHROMIUM } from '../../src/index.js'

const executablePath = findChromium()
if (executablePath === undefined) {
  t.test('the reference page', { skip: NO_CHROMIUM }, async () => {})
} else {
  t.setTimeout(180_000)
  const stack = await shareStack(t)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  t.teardown(async () => await browser.close())
  const page = await browser.newPage({ viewport: { width: 1200, height: 1600 } })
  page.setDefaultTimeout(60_000)
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => {
    problems.push(String(error))
  })
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(stack.baseUrl)) {
      problems.push(`asked ${request.url()}`)
    }
  })

  const operation = (id: string): Locator => page.locator(`#operations-${id}`)
  /** Set by developers who want to look at the page. */
  const shoot = async (name: string): Promise<void> => {
    const folder = process.env.SCREENSHOTS
    if (folder === undefined) return
    await mkdir(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  }

  /** Presses Execute and returns the status and the body that the page shows. */
  async function execute(block: Locator): Promise<{ status: string; body: string }> {
    const answer = page.waitForResponse((response) => response.url().includes('/api/'))
    await block.getByRole('button', { name: 'Execute' }).click()
    const status = String((await answer).status())
    // The page may still show the previous response.
    const live = block.locator('.live-responses-table', {
      has: page.locator('tbody .response-col_status', { hasText: status })
    })
    return { status, body: await live.locator('.highlight-code').first().innerText() }
  }

  await t.test('the reference page shows every endpoint of the document', async (t) => {
    type Operations = Record<string, Record<string, { operationId: string }>>
    const { paths, webhooks } = (await (await fetch(`${stack.baseUrl}/openapi.json`)).json()) as {
      paths: Operations
      webhooks: Operations
    }
    await page.goto(`${stack.baseUrl}/docs`)
    await page.locator('.opblock').first().waitFor()

    const shown = await page
      .locator('.opblock')
      .evaluateAll((blocks: any[]) =>
        blocks.map((block) =>
          [
            block.querySelector('.opblock-summary-method')?.textContent?.toLowerCase(),
            block.querySelector('.opblock-summary-path')?.getAttribute('data-path')
          ].join(' ')
        )
      )
    await shoot('docs')

    t.strictSame(
      shown.toSorted(),
      Object.entries({ ...paths, ...webhooks })
        .flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`))
        .toSorted()
    )
    t.strictSame(problems, [], 'no error, and nothing asked from elsewhere')
  })

  await t.test('a trial request is 401 without the token and works with it', async (t) => {
    const models = operation('ai-listModels')
    await models.locator('.opblock-summary').click()
    const refused = await execute(models)
    t.equal(refused.status, '401')
    // The browser reports every 4xx in its console.
    problems.length = 0

    await authorize(page, stack.token)
    const answered = await execute(models)
    await shoot('models')

    t.equal(answered.status, '200')
    t.match(answered.body, 'alpha-4o-mini')
    t.strictSame(problems, [])
  })

  await t.test('a file is uploaded from the page', async (t) => {
    const upload = operation('files-uploadFile')
    await upload.locator('.opblock-summary').click()
    const file = join(stack.dataDir, 'from-the-page.txt')
    await writeFile(file, 'sent from a browser\n')
    await upload.locator('input[type=file]').setInputFiles(file)
    const answered = await execute(upload)
    await shoot('upload')

    t.equal(answered.status, '201', answered.body)
    const stored = await fetch(`${stack.baseUrl}/api/folders?project_id=demo`, {
      headers: { authorization: `Bearer ${stack.token}` }
    })
    t.match(await stored.json(), { folders: [{ name: 'reports' }] }, 'with the examples of the form')
    t.match(answered.body, 'from-the-page.txt')
  })

  await t.test('an analysis runs from the page, with the example unchanged', async (t) => {
    const analyze = operation('ai-analyze')
    await analyze.locator('.opblock-summary').click()
    const answered = await execute(analyze)
    await shoot('analyze')

    t.equal(answered.status, '200', answered.body)
    t.match(answered.body, 'score')
    t.strictSame(problems, [])
  })
}

async function authorize(page: Page, token: string): Promise<void> {
  await page.locator('.auth-wrapper .authorize').click()
  const dialog = page.locator('.dialog-ux')
  await dialog.locator('input').fill(token)
  await dialog.getByRole('button', { name: 'Apply credentials' }).click()
  await dialog.getByRole('button', { name: 'Close' }).first().click()
}
