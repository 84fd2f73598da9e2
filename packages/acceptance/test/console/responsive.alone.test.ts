import t from 'tap'
import { dropFiles, openConsole, testConsole } from '../../src/index.js'

await testConsole(t, 'the console under many uploads', async ({ baseUrl, token, browser, client }) => {
  t.test('two hundred files are uploaded a few at a time while the page stays responsive', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/many`)
    await page.getByText('This project has no files yet').waitFor()
    await page.evaluate(`
      globalThis.longest = 0
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration)
      }).observe({ type: 'longtask' })`)
    let running = 0
    let most = 0
    const isUpload = (url: string): boolean => url.endsWith('/api/files/upload')
    page.on('request', (request) => {
      if (isUpload(request.url())) most = Math.max(most, ++running)
    })
    page.on('requestfinished', (request) => {
      if (isUpload(request.url())) running--
    })

    await dropFiles(
      page,
      Array.from({ length: 200 }, (_, i) => ({ path: `file-${i}.txt`, content: `content ${i}\n` }))
    )
    await page.getByText('200 files uploaded').waitFor({ timeout: 180_000 })

    const longest = Math.round(Number(await page.evaluate('globalThis.longest')))
    t.comment(`longest task ${longest} ms, at most ${most} uploads at once`)
    t.ok(most <= 4, `${most} uploads at once`)
    t.ok(longest <= 200, `longest task ${longest} ms`)
    t.equal((await client.files.list({ projectId: 'many' })).pagination.total, 200)
    t.strictSame(problems, [])
  })
})
