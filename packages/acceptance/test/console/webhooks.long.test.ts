import type { Page } from 'playwright-core'
import t from 'tap'
import { poll } from '@filewright/testing'
import { lookAt, looks, openConsole, startWebhookReceiver, testConsole } from '../../src/index.js'

/** A possible response of a hostile endpoint. */
const MARKUP = '<img src=x onerror="document.title = 1"><b>bold</b>'

await testConsole(t, 'webhooks in the console', async ({ baseUrl, token, browser, client }) => {
  const listOf = async (projectId: string) => await client.webhooks.list({ projectId })
  const upload = async (projectId: string, name: string): Promise<void> => {
    await client.files.upload(new Blob([name]), { projectId, name })
  }
  const dialog = (page: Page) => page.getByRole('dialog').last()

  t.test('a webhook is created from the page of the project, and its secret verifies', async (t) => {
    const receiver = await startWebhookReceiver(t)
    await upload('made', 'first.txt')
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/made`)
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('heading', { name: 'Webhooks of made' }).waitFor()
    t.match(page.url(), '#/webhooks/made')
    t.equal(await page.title(), 'Webhooks · made · Filewright')

    await page.getByRole('button', { name: 'New webhook' }).click()
    await dialog(page).getByLabel('Address').fill(receiver.url)
    await dialog(page).getByRole('checkbox', { name: 'file.rejected' }).uncheck()
    await dialog(page).getByLabel('Description (optional)').fill('the <b>pager</b>')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Secret of the webhook' }).waitFor()
    await page.getByText('It is not shown again').waitFor()
    const secret = await dialog(page).getByLabel('Secret').inputValue()
    await dialog(page).getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor()
    t.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
    await page.getByRole('button', { name: 'I have saved it' }).click()

    receiver.verifyWith(secret)
    await page.getByRole('link', { name: receiver.url }).waitFor()
    await page.getByText('the <b>pager</b>').waitFor()
    t.notMatch(await page.content(), secret, 'it is shown no more')
    const [webhook] = await listOf('made')
    t.notOk(webhook?.events.includes('file.rejected'))
    t.equal(webhook?.events.length, 6)
    await upload('made', 'second.txt')
    await poll(async () => receiver.deliveries.length === 1, { timeoutMs: 60_000 })
    t.match(receiver.deliveries, [{ type: 'file.created', data: { name: 'second.txt' } }])
    t.strictSame(problems, [])
  })

  t.test('deliveries are shown with their response as text, filtered and replayed', async (t) => {
    const receiver = await startWebhookReceiver(t)
    receiver.answer(500, MARKUP)
    const { id, secret } = await client.webhooks.create({
      project_id: 'log',
      url: receiver.url,
      events: ['file.created']
    })
    receiver.verifyWith(secret)
    await upload('log', 'a.txt')
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/webhooks/log`)
    await page.getByRole('link', { name: receiver.url }).click()
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    const title = `${receiver.url} · Webhooks · log · Filewright`
    await poll(async () => (await page.title()) === title)

    await page.getByText(/^Waiting file\.created 500/).click()
    await page.getByText(MARKUP).waitFor()
    t.equal(await page.locator('.delivery-list b, .delivery-list img').count(), 0, 'never as HTML')
    await page.getByText('Failing since').waitFor()
    receiver.answer(200, 'thanks')
    await page.getByText(/^Delivered file\.created 200, \d+ ms/).waitFor({ timeout: 120_000 })

    await page.getByLabel('Show').selectOption('failed')
    await page.getByText('No deliveries in this state.').waitFor()
    t.match(page.url(), `#/webhooks/log/${id}?state=failed`)
    await page.reload()
    await page.getByText('No deliveries in this state.').waitFor()
    t.equal(await page.getByLabel('Show').inputValue(), 'failed', 'a reload keeps the place')
    await page.getByLabel('Show').selectOption('')

    const arrived = receiver.deliveries.length
    await page.getByRole('button', { name: /Deliver file.created of/ }).click()
    await page.getByText('1 event will be delivered again.').waitFor()
    await poll(async () => receiver.deliveries.length === arrived + 1, { timeoutMs: 60_000 })

    await page.locator('.delivery-list > li').nth(1).waitFor()
    await page.getByRole('button', { name: 'Replay a time range' }).click()
    await dialog(page).getByRole('button', { name: 'Deliver again' }).click()
    await page.getByText('Enter the time of the first event.').waitFor()
    await dialog(page).getByLabel('From').fill('2026-01-01T00:00')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Replay a time range' }).click()
    t.equal(await dialog(page).getByLabel('From').inputValue(), '2026-01-01T00:00', 'Escape loses nothing')
    await poll(async () => (await client.webhooks.deliveries(id, { state: 'pending' })).length === 0)
    await dialog(page).getByRole('button', { name: 'Deliver again' }).click()
    await page.getByText('1 event will be delivered again.').waitFor()
    await poll(async () => receiver.deliveries.length === arrived + 2, { timeoutMs: 60_000 })
    t.equal(new Set(receiver.deliveries.map((each) => each.id)).size, 1, 'with the same id')
    t.strictSame(problems, [])
  })

  t.test('a webhook is changed, disabled, enabled, rotated and deleted without a mouse', async (t) => {
    const { id } = await client.webhooks.create({
      project_id: 'webhook-keys',
      url: 'http://127.0.0.1:9000/hook',
      events: ['file.created']
    })
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    const press = async (name: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).last().focus()
      await page.keyboard.press('Enter')
    }
    await page.goto(`${baseUrl}/#/files/webhook-keys`)
    await page.getByText('This project has no files yet').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('webhooks')
    await page.getByRole('option', { name: 'Webhooks', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'http://127.0.0.1:9000/hook' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'http://127.0.0.1:9000/hook' }).waitFor()

    await press('Change')
    await dialog(page).getByLabel('Address').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('http://127.0.0.1:9001/other')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'http://127.0.0.1:9001/other' }).waitFor()
    await press('Disable')
    await page.getByText('The webhook is disabled.').waitFor()
    t.match(await client.webhooks.get(id), { enabled: false, url: 'http://127.0.0.1:9001/other' })
    await press('Enable')
    await page.getByText('The webhook is enabled.').waitFor()

    await press('New secret')
    await dialog(page).getByLabel('Hours with both secrets').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('200')
    await page.keyboard.press('Enter')
    await page.getByText('Enter a whole number from 0 to 168.').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('1')
    await page.keyboard.press('Enter')
    await page.getByText('The previous secret signs as well for 1 hour.').waitFor()
    await press('I have saved it')

    await press('Delete')
    await page.getByRole('heading', { name: 'Delete this webhook?' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    t.equal((await listOf('webhook-keys')).length, 1, 'a question starts at Cancel')
    await press('Delete')
    await press('Delete webhook')
    await page.getByText('No webhooks yet').waitFor()
    t.strictSame(await listOf('webhook-keys'), [])
    t.strictSame(problems, [])
  })

  t.test('Escape and the back button discard neither a form nor a secret', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/webhook-kept`)
    await page.getByText('This project has no files yet').waitFor()
    await page.goto(`${baseUrl}/#/webhooks/webhook-kept`)
    await page.getByRole('button', { name: 'New webhook' }).click()
    await dialog(page).getByLabel('Address').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'New webhook' }).click()
    await dialog(page).getByLabel('Address').fill('http://127.0.0.1:9000/kept')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Discard your input?' }).waitFor()
    await page.keyboard.press('Escape')
    await page.goBack()
    await page.getByText('This project has no files yet').waitFor()
    t.equal(await dialog(page).getByLabel('Address').inputValue(), 'http://127.0.0.1:9000/kept')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Secret of the webhook' }).waitFor()
    const secret = await dialog(page).getByLabel('Secret').inputValue()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Close without the secret?' }).waitFor()
    await page.keyboard.press('Escape')
    await page.goForward()
    t.equal(await dialog(page).getByLabel('Secret').inputValue(), secret)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    t.equal((await listOf('webhook-kept')).length, 1)
    t.strictSame(problems, [])
  })

  t.test("the form shows the service's reasons and keeps its input", async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/webhooks/refused`)
    await page.getByRole('button', { name: 'New webhook' }).click()
    const submit = async (): Promise<void> =>
      await dialog(page)
        .getByRole('button', { name: /Create webhook/ })
        .click()

    await submit()
    await page.getByText('Enter the address that events are sent to.').waitFor()
    await dialog(page).getByLabel('Address').fill('https://169.254.169.254/')
    await submit()
    await page.getByText('must lead to a public address').waitFor()
    await page.getByText('Address must lead to a public address.').waitFor()
    // This stack allows http and loopback; others respond like this.
    await page.route(
      '**/api/webhooks',
      async (route) => await route.fulfill({ status: 400, json: { error: 'url must start with https://' } })
    )
    await dialog(page).getByLabel('Address').fill('http://localhost:8080/hook')
    await submit()
    await page
      .getByText(
        /^Address must .* filewright listen --project refused --forward-to http:\/\/localhost:8080\/hook$/
      )
      .waitFor()
    await dialog(page).getByLabel('Address').fill('https://169.254.169.254/')
    for (const [status, sentence] of [
      [501, 'Webhooks are off on this server, its operator must set WEBHOOK_KEY'],
      [403, 'The project has reached its limit of 20 webhooks']
    ] as const) {
      // The gateway's responses without WEBHOOK_KEY, and beyond the limit.
      await page.route(
        '**/api/webhooks',
        async (route) =>
          await route.fulfill({ status, headers: { 'x-request-id': 'r-1' }, json: { error: sentence } })
      )
      await submit()
      await page.getByText(`${sentence}.`, { exact: true }).waitFor()
    }

    t.equal(await dialog(page).getByLabel('Address').inputValue(), 'https://169.254.169.254/')
    t.strictSame(await listOf('refused'), [])
  })

  t.test('a missing webhook, or one of a forbidden project, shows an error', async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl, token })

    await page.goto(`${baseUrl}/#/webhooks/none/0123456789abcdefghijkl`)

    await page.getByRole('heading', { level: 1, name: 'Webhook not found' }).waitFor()
    t.equal(await page.title(), 'Webhook not found · Webhooks · none · Filewright')
  })

  for (const [theme, width] of looks) {
    t.test(`webhooks are accessible, ${theme}, ${width} pixels wide`, async (t) => {
      const receiver = await startWebhookReceiver(t)
      receiver.answer(410, MARKUP)
      const project = `look-hooks-${width}`
      const made = async (url: string): Promise<string> =>
        (await client.webhooks.create({ project_id: project, url, events: ['file.created', 'file.deleted'] }))
          .id
      const gone = await made(receiver.url)
      await made(`http://127.0.0.1:9000/a/long/address/that/does/not/fit/${'hook/'.repeat(20)}`)
      await upload(project, 'a.txt')
      await poll(async () => !(await client.webhooks.get(gone)).enabled, { timeoutMs: 60_000 })
      const opened = await openConsole(t, browser, { baseUrl, token, theme, width })
      const { page, problems } = opened
      const look = async (name: string): Promise<void> => await lookAt(t, opened, `webhooks-${name}`)

      await page.goto(`${baseUrl}/#/files/${project}`)
      await page.getByRole('link', { name: 'a.txt' }).waitFor()
      await look('link')
      await page.goto(`${baseUrl}/#/webhooks/${project}-none`)
      await page.getByText('No webhooks yet').waitFor()
      await look('none')
      await page.goto(`${baseUrl}/#/webhooks/${project}`)
      await page.getByText('the endpoint answered 410 Gone').waitFor()
      await look('list')
      await page.getByRole('button', { name: 'New webhook' }).click()
      await dialog(page).getByLabel('Address').fill('ftp://nowhere')
      await page.keyboard.press('Enter')
      await page.getByText('must start with').waitFor()
      await look('form')
      await page.keyboard.press('Escape')
      await look('discard')
      await page.getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('link', { name: receiver.url }).click()
      await page.getByText(/file\.created 410/).click()
      await page.getByText(MARKUP).waitFor()
      await look('one')
      await page.getByRole('button', { name: 'Replay a time range' }).click()
      await look('replay')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Delete' }).click()
      await look('delete')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'New secret' }).click()
      await dialog(page).getByLabel('Hours with both secrets').waitFor()
      await look('rotate')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Secret of the webhook' }).waitFor()
      await look('secret')
      t.strictSame(problems, [])
    })
  }
})
