import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { Filewright } from '@filewright/client'
import { poll, startStack } from '@filewright/testing'
import { sha256, uniqueText } from '../../src/index.js'

t.setTimeout(300_000)

const stack = await startStack(t, { database: 'embedded' })
// Long enough for the dead gateway's lease on the key, and the restart.
const client = new Filewright({ baseUrl: stack.baseUrl, token: stack.token, retries: 20 })

t.test(
  'a gateway killed in the middle of a 50 MB upload costs only time: exactly one file is stored',
  async (t) => {
    const path = join(t.testdir({}), 'large.txt')
    await writeFile(path, uniqueText(52_428_800))
    const victim = stack.pid('gateway')!
    const progress: number[] = []
    let isKilled = false

    const { id } = await client.files.upload(path, {
      projectId: 'killed',
      onProgress: ({ bytes }) => {
        progress.push(bytes)
        if (isKilled || bytes < 20_000_000) return
        isKilled = true
        process.kill(victim, 'SIGKILL')
      }
    })

    t.not(stack.pid('gateway'), victim, 'it really was replaced')
    t.equal((await client.files.list({ projectId: 'killed' })).pagination.total, 1)
    t.match((await client.files.list({ projectId: 'killed' })).files, [{ id, size: 52_428_800 }])
    t.strictSame(
      progress,
      progress.toSorted((a, b) => a - b)
    )
    t.equal(progress.at(-1), 52_428_800)
  }
)

t.test('a 50 MB upload adds at most 60 MB of memory, and its bytes arrive unchanged', async (t) => {
  const path = join(t.testdir({}), 'large.txt')
  const content = uniqueText(52_428_800)
  await writeFile(path, content)
  await client.files.upload(new Blob(['warm']), { projectId: 'memory', name: 'warm.txt' })
  const before = process.memoryUsage().rss
  let peak = before

  const { id } = await client.files.upload(path, {
    projectId: 'memory',
    onProgress: () => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }
  })

  t.ok(peak - before <= 60_000_000, `${Math.round((peak - before) / 1e6)} MB more`)
  t.equal((await client.files.get(id)).sha256, sha256(content))
})

const RESTARTS = [
  ['gateway', 'SIGTERM'],
  ['gateway', 'SIGKILL'],
  ['redis', 'SIGKILL'],
  ['postgres', 'SIGKILL']
] as const

t.test(
  'filewright listen continues after restarts of the gateway, Redis and PostgreSQL, and misses nothing',
  async (t) => {
    const bin = fileURLToPath(new URL('../../../../../apps/cli/bin/filewright.mjs', import.meta.url))
    const listener = spawn(process.execPath, [bin, 'listen', '--project', 'heard', '--after', 'evt_0_0'], {
      env: { PATH: process.env['PATH'], FILEWRIGHT_URL: stack.baseUrl, FILEWRIGHT_TOKEN: stack.token }
    })
    const ended = once(listener, 'exit')
    t.teardown(async () => {
      listener.kill()
      await ended
    })
    let printed = ''
    listener.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    const heard = (): string[] => printed.match(/evt_\w+$/gm) ?? []
    const store = async (name: string): Promise<void> => {
      const { id } = await client.files.upload(new Blob([name]), { projectId: 'heard', name })
      await client.files.delete(id)
    }

    for (const [name, signal] of RESTARTS) {
      const before = heard().length
      await store(`before ${name} ${signal}.txt`)
      await poll(() => heard().length > before, { what: 'an event', timeoutMs: 60_000 })
      const victim = stack.pid(name) ?? 0
      // Some files are stored while the service stops, and some before the listener is back.
      const during = Promise.all(
        Array.from({ length: 10 }, async (_, at) => await store(`${name} ${signal} ${at}.txt`))
      )
      process.kill(victim, signal)
      await during
      await poll(() => ![victim, undefined].includes(stack.pid(name)), {
        what: `another ${name}`,
        timeoutMs: 60_000
      })
    }
    await store('last.txt')

    const written: string[] = []
    const all = client.events({ projectId: 'heard', after: 'evt_0_0', follow: false })
    for await (const { id } of all) written.push(id)
    t.ok(written.length >= RESTARTS.length * (2 * 11) + 2)
    await poll(() => heard().includes(written.at(-1) ?? ''), { what: 'the last event', timeoutMs: 60_000 })
    t.strictSame(heard(), written, 'each once, in order')
    t.equal(listener.exitCode, null, 'and it still listens')
  }
)
