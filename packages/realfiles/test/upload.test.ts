import t from 'tap'
import type { Client, Reply } from '@filewright/acceptance'
import { upload, type UploadDeps } from '../src/upload.js'

const sample = { source: 'here', name: 'a.txt', load: async () => Buffer.from('abc') }
const accepted: Reply = {
  status: 201,
  headers: new Headers(),
  body: { file: { id: '1', type: 'text/plain' } }
}

interface Peer {
  replies: Array<Reply | Error>
  stored?: string
}

/** A service that sends these responses in turn. */
function depsFor({ replies, stored = 'abc' }: Peer): UploadDeps & { calls: string[] } {
  const calls: string[] = []
  const client: Client = {
    upload: async () => {
      const reply = replies.shift() ?? accepted
      if (reply instanceof Error) throw reply
      return reply
    },
    call: async (method, path) => {
      calls.push(`${method} ${path}`)
      return { status: 200, headers: new Headers(), body: {} }
    },
    download: async (address) => {
      calls.push(address)
      return { status: 200, headers: new Headers(), bytes: Buffer.from(stored) }
    }
  }
  return { client, baseUrl: 'http://service', compares: () => true, removes: true, project: 'p', calls }
}

const send = async (deps: UploadDeps): ReturnType<typeof upload> =>
  await upload(sample, 'code', Buffer.from('abc'), deps)

t.test(
  'an accepted file is compared with its download and removed from a service that is not ours',
  async (t) => {
    const deps = depsFor({ replies: [accepted] })

    t.match(await send(deps), { status: 201, type: 'text/plain', bytesEqual: true, sizeBytes: 3 })
    t.strictSame(deps.calls, ['http://service/api/files/1/download', 'DELETE /api/files/1'])
    t.match(await send(depsFor({ replies: [accepted], stored: 'other' })), { bytesEqual: false })
  }
)

t.test('a refusal has the reason from its header, or the message of its body without one', async (t) => {
  const refusal = (headers: Record<string, string>): Reply => ({
    status: 400,
    headers: new Headers(headers),
    body: { error: 'File rejected by security scan' }
  })
  const told = depsFor({ replies: [refusal({ 'x-rejection': 'unscannable; it is encrypted' })] })

  t.match(await send(told), { status: 400, reason: 'unscannable; it is encrypted' })
  t.match(await send(depsFor({ replies: [refusal({})] })), {
    status: 400,
    reason: 'File rejected by security scan'
  })
})

t.test('a rate-limited client waits as requested and retries', async (t) => {
  const limited: Reply = {
    status: 429,
    headers: new Headers({ 'retry-after': '0' }),
    body: { error: 'Slow down' }
  }

  t.match(await send(depsFor({ replies: [limited, limited, accepted] })), { status: 201 })
})

t.test('a lost connection is an outcome, not the end of the run', async (t) => {
  t.match(await send(depsFor({ replies: [new Error('reset')] })), {
    status: 0,
    reason: /no answer: Error: reset/
  })
})
