import t from 'tap'
import { poll, startStack } from '@filewright/testing'
import { admin, createClient, startWebhookReceiver } from '../../src/index.js'

t.setTimeout(600_000)

t.test("an operator's webhook", async (t) => {
  const stack = await startStack(t)
  const client = createClient(stack.baseUrl, stack.token)
  const run = async (...args: string[]): Promise<any> => await admin(stack.dataDir, 'webhook', ...args)
  const receiver = await startWebhookReceiver(t)
  const { id, secret } = await run('create', '--url', receiver.url, '--description', 'pager')
  receiver.verifyWith(secret)
  const received = (type: string, project?: string): unknown[] =>
    receiver.deliveries.filter(
      (each) => each.type === type && (project === undefined || each.data.project_id === project)
    )

  await t.test('receives the events of every project, signed with the secret', async (t) => {
    await client.upload({ content: 'a\n', name: 'a.txt', project: 'one' })
    await client.upload({ content: 'b\n', name: 'b.txt', project: 'two' })

    for (const project of ['one', 'two']) {
      await poll(async () => received('file.created', project).length === 1, {
        what: `the event of ${project}`,
        timeoutMs: 60_000
      })
    }
    t.equal(receiver.forged(), 0)
    t.match(await run('deliveries', id), [
      { type: 'file.created', state: 'delivered', status: 200, response: 'ok' },
      { type: 'file.created', state: 'delivered' }
    ])
  })

  await t.test('receives an event when the scanner stops and when it works again', async (t) => {
    const pid = stack.pid('clamd')
    if (pid === undefined) throw new Error('clamd does not run')
    const resume = (): void => {
      process.kill(-pid, 'SIGCONT')
    }
    t.teardown(() => {
      try {
        resume()
      } catch {}
    })

    process.kill(-pid, 'SIGSTOP')
    await poll(async () => received('scanner.degraded').length > 0, {
      what: 'scanner.degraded',
      timeoutMs: 180_000
    })
    t.strictSame(received('scanner.recovered'), [])
    resume()
    await poll(async () => received('scanner.recovered').length > 0, {
      what: 'scanner.recovered',
      timeoutMs: 180_000
    })

    t.equal(received('scanner.degraded').length, 1)
    t.equal(received('scanner.recovered').length, 1)
  })

  await t.test('is inaccessible to tokens, and can be disabled and enabled by the operator', async (t) => {
    t.strictSame((await client.call('GET', '/api/webhooks?project_id=one')).body, { webhooks: [] })
    t.equal((await client.call('GET', `/api/webhooks/${id}`)).status, 404)
    t.equal((await client.call('DELETE', `/api/webhooks/${id}`)).status, 404)

    t.match(await run('disable', id), { enabled: false })
    await client.upload({ content: 'c\n', name: 'c.txt', project: 'three' })
    t.match(await run('enable', id), { enabled: true })
    const { replayed } = await run('replay', id, '--from', '2026-01-01T00:00:00Z')
    t.ok(replayed > 0)
    await poll(async () => received('file.created', 'three').length > 0, {
      what: 'the event of the time while it was disabled',
      timeoutMs: 60_000
    })

    t.match(await run('delete', id), { deleted: id })
    t.strictSame(await run('list'), [])
  })
})
