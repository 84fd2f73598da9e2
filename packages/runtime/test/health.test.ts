import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { checkOf, createHealthMonitor, type HealthResult, type HealthCheck } from '../src/index.js'

/** The test runner's own timeout ends a wait that never succeeds. */
async function poll(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(2)
}

function monitor(t: Test, ...checks: HealthCheck[]) {
  const lines: unknown[] = []
  const note = (fields: object) => {
    lines.push(fields)
  }
  const health = createHealthMonitor({
    checks: checks.map((check) => ({ intervalMs: 5, ...check })),
    logger: { info: note, warn: note } as never,
    retryMs: 5
  })
  t.teardown(async () => await health.stop())
  return { health, lines }
}

t.test('before the first check the state is unknown, which is not ready', async (t) => {
  const { health } = monitor(
    t,
    checkOf('redis', 'start', async () => {})
  )

  t.strictSame(health.report(), {
    status: 'unavailable',
    reason: 'redis: not checked yet',
    checks: { redis: { state: 'unknown', age_seconds: null, reason: 'not checked yet' } }
  })
})

t.test('each dependency has its state, age, reason and facts', async (t) => {
  const { health } = monitor(
    t,
    checkOf('redis', 'start', async () => ({ version: '7' })),
    checkOf('clamd', 'ready', async () => {
      throw new Error('gone\nwith a second line')
    }),
    checkOf('ollama', 'none', async () => {
      throw new Error('refused')
    })
  )
  health.start()
  await poll(() => health.report().checks.ollama?.state === 'down')

  t.match(health.report(), {
    status: 'unavailable',
    reason: 'clamd: gone; ollama: refused',
    checks: {
      redis: { state: 'ok', age_seconds: Number, version: '7' },
      clamd: { state: 'down', reason: 'gone' },
      ollama: { state: 'down', reason: 'refused' }
    }
  })
  t.match(
    health.report('start'),
    { status: 'ok', checks: { redis: { state: 'ok' }, clamd: undefined } },
    'a start waits only for what the process itself needs'
  )
})

t.test('a dependency without a gate degrades and does not block', async (t) => {
  const { health } = monitor(
    t,
    checkOf('redis', 'ready', async () => {}),
    checkOf('ollama', 'none', async () => {
      throw new Error('refused')
    })
  )
  health.start()

  await poll(() => health.report().status === 'degraded')
})

t.test('a hanging check ends at its deadline, with its signal aborted', async (t) => {
  let aborted = false
  const { health } = monitor(
    t,
    checkOf(
      'storage',
      'ready',
      async (signal) => {
        await new Promise<void>(() =>
          signal.addEventListener('abort', () => {
            aborted = true
          })
        )
      },
      { timeoutMs: 20 }
    )
  )
  health.start()

  await poll(() => health.report().checks.storage?.reason === 'no answer within 20 ms')
  t.ok(aborted)
})

t.test(
  'a failed check is repeated before it counts; a second failure counts, and one success ends it',
  async (t) => {
    const script: boolean[] = [true, false, true, false, false, false, true]
    const states: string[] = []
    const { health, lines } = monitor(
      t,
      checkOf('clamd', 'ready', async () => {
        states.push(health.report().checks.clamd?.state ?? '')
        if (script.length > 1 ? script.shift() === false : false) throw new Error('blip')
      })
    )
    health.start()

    await poll(() => states.length >= 9)
    // Each is the state after the checks before it.
    t.strictSame(states.slice(0, 8), ['unknown', 'ok', 'ok', 'ok', 'ok', 'down', 'down', 'ok'])
    t.match(lines, [{ dependency: 'clamd', reason: 'blip' }, { dependency: 'clamd' }])
    t.equal(lines.length, 2, 'each change is one line in the log')
  }
)

t.test('one check may report several dependencies; one it leaves out keeps its state', async (t) => {
  const findings: Array<Record<string, HealthResult>> = [
    { queue: { ok: true }, clamd: { ok: true, facts: { engine: 'e' } } },
    { queue: { ok: true } }
  ]
  let runs = 0
  const { health } = monitor(t, {
    gates: { queue: 'ready', clamd: 'ready' },
    run: async () => findings[Math.min(runs++, 1)] ?? {}
  })
  health.start()

  await poll(() => runs >= 3)
  t.match(health.report(), { status: 'ok', checks: { clamd: { state: 'ok', engine: 'e' } } })
})
