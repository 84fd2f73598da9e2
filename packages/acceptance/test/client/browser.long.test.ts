import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import t from 'tap'
import type { Filewright } from '@filewright/client'
import { shareStack } from '@filewright/testing'
import { findChromium, NO_CHROMIUM } from '../../src/index.js'

declare global {
  var FilewrightOfPage: typeof Filewright
}

t.setTimeout(180_000)

const executablePath = findChromium()
if (executablePath === undefined) {
  t.test('the client in a browser', { skip: NO_CHROMIUM }, async () => {})
} else {
  const stack = await shareStack(t)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  t.teardown(async () => await browser.close())
  const page = await browser.newPage()
  const entry = fileURLToPath(new URL('./browser.js', import.meta.resolve('@filewright/client')))
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false
  })
  const script = `${outputFiles[0]?.text ?? ''}\nglobalThis.FilewrightOfPage = Filewright`
  // A page on the service's own origin, as an operator might put there.
  await page.route(
    `${stack.baseUrl}/page`,
    async (route) =>
      await route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><script type="module" src="/page.js"></script>'
      })
  )
  await page.route(
    `${stack.baseUrl}/page.js`,
    async (route) => await route.fulfill({ contentType: 'text/javascript', body: script })
  )
  await page.goto(`${stack.baseUrl}/page`)
  await page.waitForFunction(() => 'FilewrightOfPage' in globalThis)
  const given = { baseUrl: stack.baseUrl, token: stack.token }

  t.test('the client in a browser uploads with progress, lists, downloads and streams', async (t) => {
    const seen = await page.evaluate(async (given) => {
      const client = new FilewrightOfPage(given)
      const line = 'a line of text that is long enough to be sent in several parts\n'
      // Reports come every 50 ms: the upload must take longer than that.
      const file = new File([line.repeat(480_000)], 'of "a" pagé.txt')
      const progress: number[] = []
      const { id } = await client.files.upload(file, {
        projectId: 'browser',
        folder: 'a',
        onProgress: ({ bytes }) => {
          progress.push(bytes)
        }
      })
      const { files } = await client.files.list({ projectId: 'browser' })
      const bytes = await (await client.files.download(id)).bytes()
      const generation = client.ai.generate({ prompt: 'a queue', type: 'code' })
      let tokens = 0
      for await (const token of generation) tokens += token.length
      const error = await client.files
        .get('x')
        .catch((error: unknown) => (error as { status: number }).status)
      const aborted = await client.files
        .upload(file, { projectId: 'browser', signal: AbortSignal.abort(new Error('no')) })
        .catch((error: unknown) => (error as Error).message)
      await client.files.delete(id)
      return {
        size: file.size,
        progress,
        listed: files.map(({ size, folder }) => ({ size, folder })),
        received: bytes.length,
        tokens,
        model: (await generation).model,
        error,
        aborted
      }
    }, given)

    t.strictSame(seen.listed, [{ size: seen.size, folder: 'a' }])
    t.equal(seen.received, seen.size)
    t.strictSame(
      seen.progress,
      seen.progress.toSorted((a, b) => a - b)
    )
    t.equal(seen.progress.at(-1), seen.size)
    t.ok(seen.progress.length > 1, `${seen.progress.length} reports`)
    t.ok(seen.tokens > 0)
    t.equal(seen.error, 404)
    t.equal(seen.aborted, 'no')
  })

  t.test('a lost connection is a client error', async (t) => {
    const name = await page.evaluate(async ({ token }) => {
      const client = new FilewrightOfPage({
        baseUrl: 'http://127.0.0.1:1',
        token,
        retries: 1,
        retryDelayMs: 1
      })
      return await client.files
        .upload(new Blob(['x']), { projectId: 'p', name: 'x.txt' })
        .catch((error: unknown) => (error as Error).name)
    }, given)

    t.equal(name, 'ConnectionError')
  })
}
