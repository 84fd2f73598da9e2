import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const fixture = fileURLToPath(new URL('fixtures/service.js', import.meta.url))

function start(t: Test, mode: string) {
  const child: ChildProcess = fork(fixture, [mode], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  t.teardown(() => {
    child.kill('SIGKILL')
  })
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += String(chunk)
  })
  child.stderr?.on('data', (chunk) => {
    output += String(chunk)
  })
  // Not 'close': a forked child never emits it after disconnect().
  const exited = Promise.all([
    once(child, 'exit'),
    once(child.stdout!, 'end'),
    once(child.stderr!, 'end')
  ]).then(([[code]]) => code as number)
  const said = async (text: string): Promise<void> => {
    while (!output.includes(text)) {
      await Promise.race([once(child.stdout!, 'data'), once(child.stderr!, 'data')])
    }
  }
  return { child, exited, said, output: () => output }
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  t.test(`runs its shutdown steps in order and exits 0 on ${signal}`, async (t) => {
    const service = start(t, 'ok')
    await service.said('started')

    service.child.kill(signal)

    t.equal(await service.exited, 0)
    t.match(service.output(), /stopping.*second step ran.*stopped/s)
  })
}

t.test('ends when its parent process is gone', async (t) => {
  const service = start(t, 'ok')
  await service.said('started')

  service.child.disconnect()

  t.equal(await service.exited, 0)
  t.match(service.output(), 'parent gone')
})

t.test('continues with the next step when one fails, and exits 1', async (t) => {
  const service = start(t, 'failing-step')
  await service.said('started')

  service.child.kill('SIGTERM')

  t.equal(await service.exited, 1)
  t.match(service.output(), 'second step ran')
})

t.test('an expected failure to start prints one line without a stack', async (t) => {
  const service = start(t, 'bad-config')

  t.equal(await service.exited, 1)
  t.equal(service.output(), 'Invalid configuration: PORT is required\n')
})

t.test('a bug at startup prints its stack', async (t) => {
  const service = start(t, 'bug')

  t.equal(await service.exited, 1)
  t.match(service.output(), /a bug\n\s+at /)
})

t.test('no authorization header reaches the log', async (t) => {
  const service = start(t, 'ok')
  await service.said('started')

  t.notMatch(service.output(), 'hunter2')
  t.match(service.output(), 'Redacted')
})
