import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { poll } from '@filewright/testing'
import type { ChildSpec } from '../src/managed-child.js'
import { identityOf } from '../src/process-identity.js'
import { createSupervisor } from '../src/supervisor.js'
import { scriptSpec } from './helpers/scripts.js'
import { tempFolder } from './helpers/temp-folder.js'

const never = new AbortController().signal
/** Writes when it starts and when it stops, to one shared file. */
const polite = (folder: string, name: string): string => `
  import { appendFileSync } from 'node:fs'
  const tell = (what) => appendFileSync(${JSON.stringify(join(folder, 'events'))}, what + ' ${name}\\n')
  process.on('SIGTERM', () => { tell('stop'); process.exit(0) })
  process.on('disconnect', () => process.exit(0))
  setInterval(() => {}, 1000)
  tell('start')
`

function setUp(t: Test) {
  const folder = tempFolder(t)
  const events = join(folder, 'events')
  appendFileSync(events, '')
  const pids = new Map<string, number>()
  const everyPid = new Set<number>()
  const notices: string[] = []
  const supervisor = createSupervisor({
    onPid: (name, pid) => {
      if (pid === undefined) pids.delete(name)
      else {
        pids.set(name, pid)
        everyPid.add(pid)
      }
    },
    notice: (line) => notices.push(line)
  })
  t.teardown(async () => await supervisor.stop())
  const read = (): string[] => readFileSync(events, 'utf8').trim().split('\n')
  const child = (name: string, more: Partial<ChildSpec> = {}): ChildSpec =>
    scriptSpec(folder, name, polite(folder, name), {
      ready: async () => (read().includes(`start ${name}`) ? null : 'not yet'),
      ...more
    })
  return { folder, supervisor, pids, everyPid, notices, events: read, child }
}

t.test(
  'stops the gateway first, then the workers, then their dependencies, and leaves no process',
  async (t) => {
    const { supervisor, everyPid, events, child } = setUp(t)
    await supervisor.start(child('redis'), never)
    await supervisor.start(child('gateway', { tier: 'gateway' }), never)
    await supervisor.start(child('worker', { tier: 'worker' }), never)

    await supervisor.stop()

    t.strictSame(
      events().filter((line) => line.startsWith('stop')),
      ['stop gateway', 'stop worker', 'stop redis']
    )
    t.equal(everyPid.size, 3)
    for (const pid of everyPid) t.equal(identityOf(pid), null)
  }
)

t.test('a child is not ready because another program answers on its port', async (t) => {
  const { folder, supervisor, child } = setUp(t)
  const silent = child('gateway', { announces: true, ready: async () => null, readyTimeoutMs: 300 })
  await t.rejects(
    supervisor.start(silent, never),
    /gateway was not ready after 0.3 s: it does not listen yet/
  )

  const script = `${polite(folder, 'worker')}\nprocess.send('started')\n`
  await supervisor.start(scriptSpec(folder, 'worker', script, { announces: true }), never)
})

t.test('a child that cannot be restarted for a while is retried until it can', async (t) => {
  const { supervisor, pids, notices, child } = setUp(t)
  let failures = 0
  const prepare = (): void => {
    if (pids.size === 0 && notices.length > 0 && failures++ === 0) throw new Error('ENOSPC: no space left')
  }
  await supervisor.start(child('redis', { prepare }), never)

  process.kill(pids.get('redis') ?? 0, 'SIGKILL')
  await poll(() => notices.length === 3)

  t.strictSame(notices, [
    'redis stopped (SIGKILL) and is being restarted.',
    'redis cannot be started: ENOSPC: no space left. Retrying.',
    'redis is running again.'
  ])
})

t.test('a child that dies is restarted, with one notice each and its new pid', async (t) => {
  const { supervisor, pids, notices, child } = setUp(t)
  await supervisor.start(child('redis'), never)
  const first = pids.get('redis') ?? 0

  process.kill(first, 'SIGKILL')
  await poll(() => notices.length === 2)

  t.strictSame(notices, ['redis stopped (SIGKILL) and is being restarted.', 'redis is running again.'])
  t.ok(identityOf(pids.get('redis') ?? 0))
  t.not(pids.get('redis'), first)
})

t.test('a child that dies during shutdown is not restarted', async (t) => {
  const { supervisor, everyPid, child } = setUp(t)
  await supervisor.start(child('redis'), never)

  process.kill([...everyPid][0] ?? 0, 'SIGKILL')
  await supervisor.stop()

  t.equal(everyPid.size, 1)
})

t.test('a child that ignores SIGTERM is killed with its whole group', async (t) => {
  const { folder, supervisor, everyPid } = setUp(t)
  const grandchild = join(folder, 'grandchild')
  await supervisor.start(
    scriptSpec(
      folder,
      'stubborn',
      `
    import { spawn } from 'node:child_process'
    import { writeFileSync } from 'node:fs'
    process.on('SIGTERM', () => {})
    const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log(1)'])
    child.stdout.once('data', () => writeFileSync(${JSON.stringify(grandchild)}, String(child.pid)))
  `,
      {
        ready: async () =>
          existsSync(grandchild) && readFileSync(grandchild, 'utf8') !== '' ? null : 'not yet'
      }
    ),
    never
  )

  await supervisor.stop()

  t.equal(identityOf([...everyPid][0] ?? 0), null)
  // The signal has been sent. On a busy machine the grandchild ends a moment later.
  await poll(() => identityOf(Number(readFileSync(grandchild, 'utf8'))) === null)
})

t.test('a child that exits before it is ready fails the start with its last message', async (t) => {
  const { folder, supervisor, pids } = setUp(t)
  const spec = scriptSpec(folder, 'redis', 'console.error("Fatal: bad configuration"); process.exit(3)', {
    ready: async () => 'not yet'
  })

  await t.rejects(supervisor.start(spec, never), {
    message: `redis failed to start (exit code 3): Fatal: bad configuration (log: ${spec.logFile}).`
  })
  t.equal(pids.size, 0)
})

t.test('a missing program fails the start with a message', async (t) => {
  const { folder, supervisor } = setUp(t)
  const spec = scriptSpec(folder, 'redis', '', {
    command: join(folder, 'nothing'),
    ready: async () => 'not yet'
  })

  await t.rejects(supervisor.start(spec, never), {
    message: /^redis failed to start \(spawn .* ENOENT\)/
  })
})

t.test(
  'a child that never becomes ready fails the start with what was missing, and names no log that does not exist',
  async (t) => {
    const { supervisor, child } = setUp(t)

    await t.rejects(
      supervisor.start(child('clamd', { ready: async () => 'it loads', readyTimeoutMs: 100 }), never),
      {
        message: /^clamd was not ready after 0\.1 s: it loads\.$/
      }
    )
  }
)

t.test('an aborted start throws and leaves no process after the stop', async (t) => {
  const { supervisor, everyPid, child } = setUp(t)
  const asked = new AbortController()
  const starting = supervisor.start(child('clamd', { ready: async () => 'it loads' }), asked.signal)

  asked.abort()

  await t.rejects(starting, { name: 'AbortError' })
  await supervisor.stop()
  t.equal(identityOf([...everyPid][0] ?? 0), null)
})

t.test('leftovers of a killed predecessor are removed before each launch', async (t) => {
  const { supervisor, pids, notices, child } = setUp(t)
  let prepared = 0
  await supervisor.start(
    child('clamd', {
      prepare: () => {
        prepared++
      }
    }),
    never
  )

  process.kill(pids.get('clamd') ?? 0, 'SIGKILL')
  await poll(() => notices.length === 2)

  t.equal(prepared, 2)
})
