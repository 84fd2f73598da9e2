import { readFileSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { chromium, type Browser, type Request } from 'playwright-core'
import t from 'tap'
import { startStack } from '@filewright/testing'
import { createAiClient, createClient } from '../../src/index.js'

async function findBrowser(): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
      const path = join(folder, name)
      if (
        await access(path, constants.X_OK).then(
          () => true,
          () => false
        )
      ) {
        return path
      }
    }
  }
}

/** Words from a user's input and output, which no operator may see. */
const secrets = {
  prompt: 'canary-prompt-7421',
  code: 'canaryCode7421',
  fileName: 'canary-name-7421.txt',
  content: 'canary-content-7421'
}

const stack = await startStack(t)
const password = readFileSync(join(stack.dataDir, 'admin-password'), 'utf8').trim()
const asAdmin = { authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}` }
const board = `${stack.adminUrl}/queues`
const get = async (path: string, init: RequestInit = {}): Promise<Response> =>
  await fetch(`${board}${path}`, init)

const client = createClient(stack.baseUrl, stack.token)
const ai = createAiClient(stack.baseUrl, stack.token)
await client.upload({ content: secrets.content, name: secrets.fileName })
await ai.post('generate', { prompt: secrets.prompt, type: 'code', language: 'javascript' })
await ai.post('analyze', { code: `const ${secrets.code} = eval(1)\n`, language: 'javascript' })

t.test('access requires the password, which the banner shows', async (t) => {
  const wrong = [
    {},
    { authorization: 'Basic !' },
    { authorization: `Basic ${Buffer.from('admin:wrong').toString('base64')}` },
    { authorization: `Bearer ${stack.token}` }
  ]
  for (const path of ['', '/', '/api/queues', '/static/js/main.js', '/api/queues/scan/pause']) {
    for (const headers of wrong) {
      const response = await get(path, { headers: headers as Record<string, string> })
      t.equal(response.status, 401, path)
      t.match(response.headers.get('www-authenticate'), /^Basic realm=/)
    }
  }
  t.equal((await get('', { headers: asAdmin })).status, 200)
  t.ok(stack.output().includes(password))
  t.equal(
    (await fetch(`${stack.baseUrl}/queues`, { headers: asAdmin })).status,
    404,
    'and it is not on the public port'
  )
})

t.test('it is read-only by default', async (t) => {
  for (const [method, path] of [
    ['PUT', '/api/queues/scan/pause'],
    ['PUT', '/api/queues/pause'],
    ['POST', '/api/queues/scan/add'],
    ['PUT', '/api/queues/scan/obliterate']
  ] as const) {
    t.equal((await get(path, { method, headers: asAdmin })).status, 405, path)
  }
})

t.test('payloads, results, progress and failures are masked in all output', async (t) => {
  let seen = ''
  for (const queue of ['scan', 'inference']) {
    for (const status of ['completed', 'failed', 'active', 'waiting', 'latest']) {
      const text = await (
        await get(`/api/queues?activeQueue=${queue}&status=${status}&page=1&jobsPerPage=50`, {
          headers: asAdmin
        })
      ).text()
      seen += text
      const { queues } = JSON.parse(text) as { queues: Array<{ jobs: Array<{ id: string }> }> }
      for (const { id } of queues.flatMap(({ jobs }) => jobs)) {
        seen += await (await get(`/api/queues/${queue}/${id}`, { headers: asAdmin })).text()
        seen += await (await get(`/api/queues/${queue}/${id}/logs`, { headers: asAdmin })).text()
      }
    }
  }

  t.match(seen, /"prompt":"masked \(18 characters\)"/)
  t.match(seen, /"content":"masked/)
  t.match(seen, /"verdict":"clean"/)
  for (const secret of [...Object.values(secrets), stack.token, 'Sandbox answer']) {
    t.notOk(seen.includes(secret), `nothing of ${secret}`)
  }
})

const browserPath = await findBrowser()
t.test(
  'a browser asks for the password, then shows the queues and a finished job with masked data',
  { skip: browserPath === undefined && 'no chromium on the PATH' },
  async (t) => {
    const browser: Browser = await chromium.launch({ executablePath: browserPath!, args: ['--no-sandbox'] })
    t.teardown(async () => await browser.close())
    const stranger = await (await browser.newContext()).newPage()
    const refused = await stranger.goto(board).catch((error: Error) => error.message)
    // Chromium would show its own password dialog. In headless mode it reports a page error instead.
    t.ok(
      typeof refused === 'string' ? /ERR_INVALID_AUTH_CREDENTIALS/.test(refused) : refused?.status() === 401,
      'the browser is asked for a password'
    )

    const page = await (
      await browser.newContext({
        httpCredentials: { username: 'admin', password },
        viewport: { width: 1400, height: 1000 }
      })
    ).newPage()
    // The page requests Google's fonts, but its content security policy blocks all other origins.
    const outside: Request[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(stack.adminUrl)) outside.push(request)
    })
    await page.goto(board)
    await page.getByText('inference').first().waitFor()
    await page.getByText('scan').first().waitFor()
    await page.goto(`${board}/queue/inference?status=completed`)
    await page.getByText('inference', { exact: true }).first().waitFor()
    const { queues } = (await (
      await get('/api/queues?activeQueue=inference&status=completed&page=1&jobsPerPage=50', {
        headers: asAdmin
      })
    ).json()) as { queues: Array<{ jobs: Array<{ id: string }> }> }
    const job = queues.flatMap(({ jobs }) => jobs).find(({ id }) => id.startsWith('generate-'))
    await page.goto(`${board}/queue/inference/${job?.id}?status=completed`)
    await page.getByText('masked (18 characters)').first().waitFor()

    const text = await page.locator('body').innerText()
    for (const secret of Object.values(secrets)) {
      t.notOk(text.includes(secret), `nothing of ${secret} on the page`)
    }
    t.strictSame(
      outside.filter((request) => request.failure()?.errorText !== 'csp').map((request) => request.url()),
      [],
      'and nothing leaves the machine'
    )
    if (process.env.SCREENSHOTS !== undefined) {
      await page.screenshot({ path: join(process.env.SCREENSHOTS, 'job.png') })
      await page.goto(board)
      await page.getByText('inference').first().waitFor()
      await page.screenshot({ path: join(process.env.SCREENSHOTS, 'queues.png') })
    }
  }
)
