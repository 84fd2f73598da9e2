import t, { type Test } from 'tap'
import { Filewright } from '@filewright/client'
import { admin, lookAt, looks, openConsole, signOut, testConsole, type ConsolePage } from '../../src/index.js'

await testConsole(t, 'history and account in the console', async ({ baseUrl, dataDir, browser }) => {
  const limited = await admin(
    dataDir,
    ...['token', 'create', '--name', 'analyst', '--project', 'demo', '--project', 'other'],
    ...['--expires-in-days', '9', '--max-files', '10']
  )
  const client = new Filewright({ baseUrl, token: limited.token })
  await client.files.upload(new Blob(['x']), { projectId: 'demo', name: 'a.txt' })

  /** A link signs in with the local token only. */
  async function open(
    t: Test,
    look: { theme?: 'light' | 'dark'; width?: number } = {}
  ): Promise<ConsolePage> {
    const opened = await openConsole(t, browser, { baseUrl, ...look })
    await opened.page.getByLabel('Access token').fill(limited.token)
    await opened.page.keyboard.press('Enter')
    await opened.page.getByRole('heading', { name: 'Projects' }).waitFor()
    return opened
  }

  t.test('requests and their usage are listed, without prompts', async (t) => {
    const opened = await open(t)
    const { page, problems } = opened
    await page.goto(`${baseUrl}/#/history`)
    await page.getByText('Nothing here yet').waitFor()
    await lookAt(t, opened, 'history-empty')
    await client.ai.generate({ prompt: 'an average', type: 'code' })
    await client.ai.analyze({ code: 'var a = 1', language: 'javascript' })

    await page.reload()
    await page.getByRole('heading', { name: 'Usage in the last 30 days' }).waitFor()
    await page.getByRole('img', { name: 'Tokens per day' }).waitFor()
    const rows = await page.locator('.history tbody tr').allTextContents()
    t.equal(rows.length, 2)
    t.match(rows[0], /Analyze.*Done/)
    t.match(rows[1], /Generate.*Done/)
    await page.getByText('Per day and model').click()
    t.equal(await page.getByRole('cell', { name: 'sandbox' }).first().isVisible(), true)
    t.notMatch(await page.locator('main').textContent(), 'an average')

    await page.locator('.history tbody a').last().click()
    await page.getByText('with the setting STORE_PROMPTS=true').waitFor()
    t.equal(await page.getByRole('button', { name: 'Run again' }).count(), 0)
    await lookAt(t, opened, 'request-not-kept')
    await page.goto(`${baseUrl}/#/history/nothing`)
    await page.getByText('No such request').waitFor()
    t.strictSame(problems, [])
  })

  t.test('the account menu shows the token, its projects, expiry and quota, and signs out', async (t) => {
    const { page, problems } = await open(t, { width: 390 })

    await page.getByRole('button', { name: 'Account: analyst' }).click()
    const menu = page.getByRole('dialog')
    await menu.getByText('demo, other').waitFor()
    t.match(await menu.textContent(), /Files1 of 10.*Storage1 B, no quota/)
    t.equal(await menu.getByText('never expires').count(), 0)
    await menu.getByLabel('Theme').selectOption('dark')
    t.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
    await page.keyboard.press('Escape')
    await signOut(page)

    t.strictSame(problems, [])
  })

  for (const [theme, width] of looks) {
    t.test(`history and account are accessible, ${theme}, ${width} pixels wide`, async (t) => {
      const opened = await open(t, { theme, width })
      const { page, problems } = opened
      await page.goto(`${baseUrl}/#/history`)
      await page.getByText('Per day and model').click()
      await lookAt(t, opened, 'history')
      await page.getByRole('button', { name: 'Account: analyst' }).click()
      await page.getByRole('dialog').getByText('demo, other').waitFor()
      await lookAt(t, opened, 'account')
      t.strictSame(problems, [])
    })
  }
})
