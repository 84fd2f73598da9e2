import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { Filewright, type ReceivedEvent } from '@filewright/client'
import { poll, shareStack } from '@filewright/testing'
import { Webhook } from 'standardwebhooks'
import { listen } from '../src/commands/listen.js'
import { createIo, noTerminalFailure, type Io } from '../src/io.js'
import { filewright } from './helpers.js'

t.setTimeout(300_000)

const stack = await shareStack(t)
const env = { FILEWRIGHT_URL: stack.baseUrl, FILEWRIGHT_TOKEN: stack.token }
const client = new Filewright({ baseUrl: stack.baseUrl, token: stack.token })
const shell = { env, cwd: process.cwd() }

async function receiver(): Promise<{
  url: string
  bodies: Array<{ text: string; headers: Record<string, string> }>
}> {
  const bodies: Array<{ text: string; headers: Record<string, string> }> = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    request.on('end', () => {
      bodies.push({ text, headers: request.headers as Record<string, string> })
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, bodies }
}

t.test('a webhook is created, receives signed events, shows its deliveries and is deleted', async (t) => {
  const { url, bodies } = await receiver()
  const created = await filewright(shell, 'webhooks', 'create', 'cli-hooks', url, '--events', 'file.created')
  t.equal(created.code, 0, created.note)
  const [id = '', secret = ''] = created.out.split('\n')
  await client.files.upload(new Blob(['x']), { projectId: 'cli-hooks', name: 'x.txt' })
  await poll(() => bodies.length > 0, { timeoutMs: 60_000 })

  const [first] = bodies
  t.match(new Webhook(secret).verify(first?.text ?? '', first?.headers ?? {}), { type: 'file.created' })
  await poll(async () => (await filewright(shell, 'webhooks', 'deliveries', id)).out.includes('delivered'), {
    timeoutMs: 60_000
  })
  t.match((await filewright(shell, 'webhooks', 'ls', 'cli-hooks')).out, `${id}\t${url}`)
  t.match((await filewright(shell, 'webhooks', 'disable', id)).out, 'is disabled')
  t.match((await filewright(shell, 'webhooks', 'enable', id)).out, 'is enabled')
  t.match((await filewright(shell, 'webhooks', 'rotate', id)).out, /^whsec_/m)
  const replayed = await filewright(
    shell,
    'webhooks',
    'replay',
    id,
    '--event',
    first?.headers['webhook-id'] ?? ''
  )
  t.match(replayed.out, '1 event queued for another delivery')
  t.equal((await filewright(shell, 'webhooks', 'replay', id)).code, 3)
  t.equal((await filewright(shell, 'webhooks', 'create', 'cli-hooks', url, '--events', 'nonsense')).code, 3)
  const refused = await filewright(shell, 'webhooks', 'create', 'cli-hooks', 'http://localhost:25/hook')
  t.match(refused, {
    code: 1,
    note: /; for a program on this machine: filewright listen --project cli-hooks --f/
  })
  t.match((await filewright(shell, 'webhooks', 'rm', id)).out, 'deleted')
  t.match((await filewright(shell, 'webhooks', 'ls', 'cli-hooks')).note, 'no webhooks')
})

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

function captured(): { io: Io; shown: { out: string; note: string } } {
  const shown = { out: '', note: '' }
  const io = createIo({
    ...shell,
    isTerminal: false,
    isOutTerminal: false,
    hasColor: false,
    columns: 80,
    write: (text) => {
      shown.out += text
    },
    writeBytes: async () => {},
    writeNote: (text) => {
      shown.note += text
    },
    ask: async (question, { instead }) => {
      throw noTerminalFailure(question, instead)
    },
    readAll: async () => ''
  })
  return { io, shown }
}

t.test('listen forwards signed events, and starts after a given one', async (t) => {
  const { url, bodies } = await receiver()
  const ending = new AbortController()
  const { io, shown } = captured()
  const flags = { project: 'cli-listen', forwardTo: url, secret, after: 'evt_0_0' }
  const { id } = await client.files.upload(new Blob(['x']), { projectId: 'cli-listen', name: 'x.txt' })
  const listening = listen(io, client, flags, { signal: ending.signal }).catch(() => {})
  // Other tests use the same token, so its generations are also in the stream.
  const ofFiles = (): unknown[] =>
    bodies
      .map(({ text, headers }) => new Webhook(secret).verify(text, headers) as { type: string })
      .filter(({ type }) => type.startsWith('file.'))
  await poll(() => ofFiles().length > 0, { timeoutMs: 60_000 })
  await client.files.delete(id)
  await poll(() => ofFiles().length > 1, { timeoutMs: 60_000 })
  ending.abort()
  await listening

  t.match(ofFiles(), [{ type: 'file.created', data: { file_id: id } }, { type: 'file.deleted' }])
  t.match(shown.out, /file\.created x\.txt 204 {2}evt_/)
  t.equal((await filewright(shell, 'listen', '--project', 'p', '--forward-to', 'ftp://x')).code, 3)
})

t.test(
  'listen retries an event until the program accepts it, keeps the order, and finally gives up',
  async (t) => {
    const event = (id: string): ReceivedEvent => ({
      id,
      type: 'file.created',
      timestamp: '2026-01-15T09:30:00.000Z',
      data: { name: `${id}.txt` }
    })
    const statuses = [503, 204, 400, 500, 429, 502, 204]
    const ids: unknown[] = []
    const server = createServer((request, response) => {
      ids.push(request.headers['webhook-id'])
      request.resume()
      response.writeHead(statuses.shift() ?? 500).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => server.close())
    const events = async function* (): AsyncGenerator<ReceivedEvent> {
      for (const id of ['evt_1', 'evt_2', 'evt_3', 'evt_4']) yield event(id)
    }
    const { io, shown } = captured()
    const forwardTo = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`

    await listen(io, { events }, { project: 'p', forwardTo, secret }, { pausesMs: [1, 2] })

    t.strictSame(ids, ['evt_1', 'evt_1', 'evt_2', 'evt_3', 'evt_3', 'evt_3', 'evt_4'])
    t.strictSame(
      shown.out.split('\n').map((line) => line.split(' ').slice(2).join(' ')),
      [
        'evt_1.txt 204  evt_1',
        'evt_2.txt 400  evt_2',
        'evt_3.txt 502, given up after 3 attempts  evt_3',
        'evt_4.txt 204  evt_4',
        ''
      ]
    )
    t.match(shown.note, 'file.created evt_1.txt 503; trying again in 0.001 s\n')
  }
)
