import t, { type Test } from 'tap'
import { startTestGateway, type InjectResponse, type TestGateway } from '../../helpers/test-gateway.js'

t.setTimeout(300_000)

const webhookKey = 'a key for the tests'
const hook = { project_id: 'acme', url: 'http://127.0.0.1:8080/hook', events: ['file.created'] }

type Call = (method: string, path: string, payload?: object) => Promise<InjectResponse>
async function open(
  t: Test
): Promise<{ gateway: TestGateway; callAs: (...projects: string[]) => Promise<Call> }> {
  const gateway = await startTestGateway(t, { webhookKey })
  return {
    gateway,
    callAs: async (...projects) => {
      const authorization = `Bearer ${await gateway.token(...projects)}`
      return async (method, path, payload) =>
        await gateway.app.inject({
          method: method as 'GET',
          url: `/api/webhooks${path}`,
          headers: { authorization },
          ...(payload === undefined ? {} : { payload })
        })
    }
  }
}

t.test('a webhook is created with its secret, which no other response shows', async (t) => {
  const { gateway, callAs } = await open(t)
  const call = await callAs('acme')
  const created = await call('POST', '', { ...hook, description: 'mine' })

  t.equal(created.statusCode, 201)
  const { secret, ...webhook } = created.json().webhook
  t.match(secret, /^whsec_[A-Za-z0-9+/=]{44}$/)
  t.match(webhook, { ...hook, description: 'mine', enabled: true, failing_since: null })
  t.strictSame((await call('GET', `/${webhook.id}`)).json(), { webhook })
  t.strictSame((await call('GET', '?project_id=acme')).json(), { webhooks: [webhook] })
  const stored = await gateway.database.webhooks.find(webhook.id, '')
  t.notMatch(JSON.stringify(stored), secret.slice(6), 'encrypted in the database')

  const rotated = await call('POST', `/${webhook.id}/rotate`, { overlap_hours: 1 })
  t.not(rotated.json().webhook.secret, secret)
  t.equal((await gateway.database.webhooks.find(webhook.id, ''))?.secrets.length, 2)
  t.match((await call('PATCH', `/${webhook.id}`, { enabled: false, events: ['file.deleted'] })).json(), {
    webhook: { enabled: false, events: ['file.deleted'], url: hook.url }
  })
  t.strictSame((await call('DELETE', `/${webhook.id}`)).json(), { message: 'Webhook deleted successfully' })
  t.equal((await call('GET', `/${webhook.id}`)).statusCode, 404)
})

t.test("another project's token gets 404, the same as for a webhook that does not exist", async (t) => {
  const { callAs } = await open(t)
  const [owner, other] = [await callAs('acme'), await callAs('other')]
  const { id } = (await owner('POST', '', hook)).json().webhook

  for (const [method, suffix, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { enabled: false }],
    ['DELETE', '', undefined],
    ['POST', '/rotate', undefined],
    ['GET', '/deliveries', undefined],
    ['POST', '/replay', { from: '2026-01-01T00:00:00Z' }]
  ] as const) {
    const refused = await other(method, `/${id}${suffix}`, body)
    const absent = await owner(method, `/${'A'.repeat(22)}${suffix}`, body)
    t.equal(refused.statusCode, 404, `${method} ${suffix}`)
    t.equal(refused.body, absent.body)
  }
  t.equal((await other('POST', '', hook)).statusCode, 403)
  t.equal((await other('GET', '?project_id=acme')).statusCode, 403)
  t.equal((await owner('GET', `/${id}`)).statusCode, 200, 'nothing was changed')
})

t.test('an invalid request gets an error that names the wrong field', async (t) => {
  const { callAs } = await open(t)
  const call = await callAs('*')
  for (const [body, error] of [
    [{ ...hook, url: 'http://10.0.0.1/' }, 'url must lead to a public address'],
    [{ ...hook, url: 'http://[::ffff:169.254.169.254]/' }, 'url must lead to a public address'],
    [{ ...hook, url: 'ftp://127.0.0.1/' }, 'url must start with https:// or http://'],
    [{ ...hook, url: 'http://user:pass@127.0.0.1/' }, 'url must not contain a user name or password'],
    [{ ...hook, url: 1 }, 'url must be a string'],
    [{ ...hook, events: [] }, /^events must be an array of file.created, /],
    [{ ...hook, events: ['scanner.degraded'] }, /^events must/],
    [{ ...hook, events: ['file.created', 7] }, /^events must/],
    [{ ...hook, project_id: '' }, /^project_id /],
    [{ ...hook, secret: 'mine' }, 'body must have no fields but project_id, url, events, description'],
    [[], 'body must be a JSON object']
  ] as Array<[object, string | RegExp]>) {
    const answer = await call('POST', '', body)
    t.equal(answer.statusCode, 400, answer.body)
    t.match(answer.json().error, error)
  }
  const { id } = (await call('POST', '', hook)).json().webhook
  for (const [path, body, error] of [
    [`/${id}`, {}, /^body must have url/],
    [`/${id}/rotate`, { overlap_hours: 1_000 }, /^overlap_hours /],
    [`/${id}/replay`, {}, 'body must have event_id or from'],
    [`/${id}/replay`, { event_id: 'nonsense' }, "event_id must be an event's id"],
    [`/${id}/replay`, { from: 'yesterday' }, /^from must be a time/]
  ] as Array<[string, object, string | RegExp]>) {
    const answer = await call(path === `/${id}` ? 'PATCH' : 'POST', path, body)
    t.equal(answer.statusCode, 400, answer.body)
    t.match(answer.json().error, error)
  }
  t.match((await call('GET', `/${id}/deliveries?before=x`)).json().error, /^before /)
  t.match((await call('GET', `/${id}/deliveries?state=x`)).json().error, /^state /)
})

t.test('without a key the service says how to turn webhooks on', async (t) => {
  const gateway = await startTestGateway(t)
  const headers = { authorization: `Bearer ${await gateway.token('*')}` }
  const answer = await gateway.app.inject({ method: 'POST', url: '/api/webhooks', headers, payload: hook })

  t.equal(answer.statusCode, 501)
  t.match(answer.json().error, 'WEBHOOK_KEY')
})
