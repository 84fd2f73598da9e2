import t, { type Test } from 'tap'
import { operatorEventTypes, projectEventTypes } from '@filewright/contracts'
import { createWebhookEndpoints } from '@filewright/domain'
import { createId } from '@filewright/runtime'
import { createSecretBox } from '@filewright/webhooks'
import { runAdmin } from '../src/admin.js'
import { createAdapters } from '../src/adapters.js'
import { openInstallation, type Installation } from './helpers/installation.js'

const KEY = 'a key for the tests'
const config = {
  WEBHOOK_KEY: KEY,
  WEBHOOK_ALLOW_PRIVATE: false,
  WEBHOOK_ALLOW_HTTP: false,
  // Documentation addresses: nothing answers there.
  WEBHOOK_ALLOW_NETWORKS: '192.0.2.0/24'
}
const URL = 'https://192.0.2.1/hook'

interface Output {
  code: number
  out: string
  err: string
}

interface Commands extends Installation {
  run: (...args: string[]) => Promise<Output>
  json: (...args: string[]) => Promise<any>
}

async function open(t: Test): Promise<Commands> {
  const installation = await openInstallation(t)
  const { database } = installation
  const adapters = {
    ...createAdapters({}),
    database: () => database,
    webhookEndpoints: () => createWebhookEndpoints({ ...database, config })
  }
  const run = async (...args: string[]): Promise<Output> => {
    const output = { code: 0, out: '', err: '' }
    output.code = await runAdmin(args, {
      adapters,
      ask: undefined,
      out: (text) => {
        output.out += text
      },
      err: (text) => {
        output.err += text
      }
    })
    return output
  }
  return {
    ...installation,
    run,
    json: async (...args) => JSON.parse((await run(...args, '--json')).out)
  }
}

t.test("an operator's webhook receives every type of event, and its secret is shown once", async (t) => {
  const { database, run, json } = await open(t)

  const { secret, ...webhook } = await json('webhook', 'create', '--url', URL, '--description', 'pager')

  t.match(webhook, { project_id: null, url: URL, description: 'pager', enabled: true })
  t.strictSame(webhook.events, [...projectEventTypes, ...operatorEventTypes])
  const stored = await database.webhooks.find(webhook.id, '')
  t.equal(createSecretBox(KEY).open(stored?.secrets[0] ?? '', webhook.id), secret, 'as the gateway stores it')
  t.strictSame(await json('webhook', 'list'), [webhook])
  t.strictSame(await json('webhook', 'list', '--project', 'acme'), [])
  t.match(await run('webhook', 'list'), { out: new RegExp(`${webhook.id} +all projects +${URL} +enabled`) })
  t.match(await run('webhook', 'create', '--url', URL, '--events', 'scanner.degraded,file.created'), {
    code: 0,
    out: new RegExp(
      '\\nwhsec_[^\\n]+\\n\\nThe second line is the secret: save it now, it is not shown again\\.' +
        '\\nIt receives events of all projects'
    )
  })
})

t.test('a webhook is rotated, disabled, enabled and deleted', async (t) => {
  const { database, json, run } = await open(t)
  const { id, secret } = await json('webhook', 'create', '--url', URL, '--project', 'acme')

  const rotated = await json('webhook', 'rotate', id, '--overlap-hours', '2')
  t.not(rotated.secret, secret)
  t.equal((await database.webhooks.find(id, ''))?.secrets.length, 2)
  t.match(await json('webhook', 'disable', id), { id, enabled: false })
  t.match(await run('webhook', 'list', '--project', 'acme'), { out: /acme +https:\S+ +disabled/ })
  t.match(await json('webhook', 'enable', id), { id, enabled: true })
  t.strictSame(await json('webhook', 'delete', id), { deleted: id })
  t.strictSame(await json('webhook', 'list'), [])
  for (const command of ['enable', 'disable', 'rotate', 'delete', 'deliveries'] as const) {
    t.match(await run('webhook', command, id), { code: 1, out: /There is no webhook/ }, command)
  }
  t.match(await run('webhook', 'replay', id, '--from', '2026-01-01T00:00:00Z'), { code: 1 })
})

t.test('events of every project are delivered, listed and replayed', async (t) => {
  const { database, store, json, run } = await open(t)
  const { id } = await json('webhook', 'create', '--url', URL, '--events', 'file.created,scanner.degraded')
  await store({ project: 'one' })
  await store({ project: 'two' })
  await database.events.notePart('scanner', 'ok')
  await database.events.notePart('scanner', 'degraded')
  await database.deliveries.fanOut(100)

  const deliveries = await json('webhook', 'deliveries', id)

  t.strictSame(
    deliveries.map(({ type }: { type: string }) => type),
    ['scanner.degraded', 'file.created', 'file.created'],
    'newest first'
  )
  t.match(await run('webhook', 'deliveries', id), { out: /scanner\.degraded +pending +0/ })
  t.strictSame(await json('webhook', 'deliveries', id, '--state', 'failed'), [])
  t.strictSame(
    await json('webhook', 'replay', id, '--from', '2026-01-01T00:00:00Z'),
    { replayed: 0 },
    'what waits is left out'
  )
  // A new webhook gets one event at a time.
  for (let left = deliveries.length; left > 0; left--) {
    const [claimed] = await database.deliveries.claim({
      claim: 'test',
      leaseMs: 60_000,
      max: 10,
      perEndpoint: 10,
      maxFailing: 10,
      maxSlow: 10,
      perOwner: 10,
      orderedAttempts: 1
    })
    await database.deliveries.drop(claimed?.id ?? '', 'test', 'for this test')
  }
  t.strictSame(await json('webhook', 'replay', id, '--event', deliveries[0].event_id), { replayed: 1 })
  t.strictSame(await json('webhook', 'replay', id, '--from', '2026-01-01T00:00:00Z'), { replayed: 2 })
  t.match(await run('webhook', 'replay', id, '--event', deliveries[0].event_id), {
    out: '0 events queued for another delivery'
  })
})

t.test(
  'addresses and fields are checked as over HTTP, and events that would never arrive are refused',
  async (t) => {
    const { run } = await open(t)
    const create = async (...args: string[]): Promise<Output> => await run('webhook', 'create', ...args)

    for (const [url, why] of [
      ['http://192.0.2.1/hook', /--url must start with https:\/\//],
      ['https://127.0.0.1/hook', /--url must lead to a public address/],
      ['https://localhost/hook', /--url must lead to a public address/],
      ['https://169.254.169.254/latest', /--url must lead to a public address/],
      ['https://user:pass@192.0.2.1/', /--url must not contain a user name or password/],
      ['https://192.0.2.1:22/', /--url must have the port/]
    ] as const) {
      t.match(await create('--url', url), { code: 2, err: why }, url)
    }
    for (const args of [
      [],
      ['--url', URL, '--project', 'a/b'],
      ['--url', URL, '--project', 'a', '--project', 'b'],
      ['--url', URL, '--events', 'file.created,nonsense'],
      ['--url', URL, '--project', 'a', '--events', 'scanner.degraded'],
      ['--url', URL, '--project', 'a', '--events', 'generation.failed']
    ]) {
      t.match(await create(...args), { code: 2, err: /Try: npm run admin -- --help/ }, args.join(' '))
    }
    const id = createId()
    for (const args of [
      ['enable'],
      ['enable', 'not-an-id'],
      ['rotate', id, '--overlap-hours', '169'],
      ['deliveries', id, '--state', 'gone'],
      ['replay', id],
      ['replay', id, '--event', 'x'],
      ['replay', id, '--from', 'yesterday'],
      ['replay', id, '--event', 'evt_1_1', '--from', '2026-01-01T00:00:00Z']
    ]) {
      t.match(await run('webhook', ...args), { code: 2 }, args.join(' '))
    }
  }
)

t.test('an operator can have as many webhooks as a project', async (t) => {
  const { json, run } = await open(t)
  for (let i = 0; i < 20; i++) await json('webhook', 'create', '--url', URL)

  await t.rejects(run('webhook', 'create', '--url', URL), { code: 'WEBHOOK_LIMIT', message: /20 webhooks/ })
  t.match(await run('webhook', 'create', '--url', URL, '--project', 'acme'), { code: 0 })
})

t.test('without WEBHOOK_KEY no webhook is created', async (t) => {
  const { database } = await open(t)
  const { WEBHOOK_KEY: _none, ...keyless } = config
  const deps = {
    adapters: {
      ...createAdapters({}),
      database: () => database,
      webhookEndpoints: () => createWebhookEndpoints({ ...database, config: keyless })
    },
    out: () => {},
    err: () => {},
    ask: undefined
  }

  await t.rejects(runAdmin(['webhook', 'create', '--url', URL], deps), { code: 'WEBHOOKS_OFF' })
  t.strictSame(await database.webhooks.listAll(), [])
})
