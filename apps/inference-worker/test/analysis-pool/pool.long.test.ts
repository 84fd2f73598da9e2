import t, { type Test } from 'tap'
import {
  createAnalysisPool,
  type AnalysisPool,
  type AnalysisPoolOptions
} from '../../src/analysis-pool/pool.js'
import { analyze } from '@filewright/analysis'
import { maxCpuMsOf } from '../../src/analysis-pool/job-size.js'
import type { MethodName } from '../../src/analysis-pool/methods.js'

t.setTimeout(240_000)

function poolFor(t: Test, options: AnalysisPoolOptions): AnalysisPool {
  const pool = createAnalysisPool(options)
  t.teardown(() => pool.close())
  return pool
}

/** Takes far longer than any deadline used here. */
const heavy = Array.from(
  { length: 2_000 },
  (_, index) => `export function f${index} (a) { if (a == ${index}) { return a.map((x) => x + 1) } }`
).join('\n')

/** Running it takes a second or two, whatever the analyzers refuse, because a check's work is counted. */
const endless = (body: string): string => `export function f (n) {\n  for (;;) n ^= ${body}\n}\n`
const slow = { before: endless('1'), after: endless('2'), language: 'javascript' } as const

// Most tests share one pool, because starting a process and loading its parsers is slow.
const pool = poolFor(t, { size: 1, timeoutMs: 60_000 })

t.test('jobs in other processes return the same as in this process, for every method', async (t) => {
  const code = 'export function f (a) {\n  var b = eval(a)\n  return b\n}\n'

  t.strictSame(
    await pool.analyze({ code, language: 'javascript' }),
    await analyze({ code, language: 'javascript' })
  )
  t.strictSame(await pool.checkSyntax('a = (', 'python'), {
    ok: false,
    line: 1,
    message: ((await pool.checkSyntax('a = (', 'python')) as { message: string }).message
  })
  t.match(await pool.exportsOf(code, 'javascript'), [{ name: 'f', signature: '(a)' }])
  t.match(await pool.fix({ code: code.replace('eval', 'run'), language: 'javascript' }), {
    fixes: [{ line: 2, kind: 'refactor' }]
  })
  t.match(await pool.measure(code, 'javascript'), { lines: 4, complexity: 1 })
  t.match(await pool.describeDiff('a\n', 'b\n'), [{ line: 1 }])
  const rewrite = {
    before: 'const f = (a) => { if (a) { return 1 } else { return 2 } }\n',
    after: 'const f = (a) => a ? 1 : 2\n',
    language: 'javascript' as const
  }
  t.match(await pool.compareRewrite(rewrite), [{ name: 'f', refusal: null }])
  t.equal(await pool.mergeRewrite({ ...rewrite, take: ['f'] }), rewrite.after)
  t.match(await pool.runCheck(rewrite), { functions: [{ unit: 'f', isSame: true, inputs: Number }] })
})

t.test("the caller's event loop stays free while another process works", async (t) => {
  await pool.analyze({ code: 'a()', language: 'javascript' })
  const before = performance.eventLoopUtilization()

  await pool.analyze({ code: heavy, language: 'javascript' })

  // In the same process it would block from start to end.
  const { utilization } = performance.eventLoopUtilization(before)
  t.ok(utilization < 0.5, `busy for ${Math.round(utilization * 100)} % of the time`)
})

t.test('a job over its deadline fails alone, and the next one runs in a new process', async (t) => {
  const pool = poolFor(t, { size: 1, timeoutMs: 150 })
  const late = pool.analyze({ code: heavy, language: 'typescript' })
  // The first use of a parser in a new process may exceed such a short deadline.
  const waiting = pool.checkSyntax('a = 1\n', 'python').then(
    ({ ok }) => t.equal(ok, true),
    (error) => t.match(error, { code: 'DEADLINE_EXCEEDED' })
  )

  await t.rejects(late, { code: 'DEADLINE_EXCEEDED' })

  await waiting
  // Little work, but too long for the process that takes only small jobs. On a busy machine it may still take
  // too long.
  const long = 'a'.repeat(20_000)
  let served: unknown
  for (let tries = 0; tries < 50 && !Array.isArray(served); tries++) {
    served = await pool.describeDiff(long, long).catch(({ code }) => code)
  }
  t.strictSame(served, [])
})

t.test('a small job may use a fifth of the CPU time of a large one, growing with its size', async (t) => {
  const limitOf = (chars: number, method: MethodName = 'analyze') => maxCpuMsOf({ method, chars }, 10_000)

  t.equal(limitOf(0), 2_000)
  t.ok(limitOf(4_096) > 2_900 && limitOf(4_096) < 3_100)
  t.equal(limitOf(32_768), 10_000)
  t.equal(limitOf(262_144), 10_000)
  t.equal(limitOf(0, 'runCheck'), 10_000, 'code that is run counts its own work')
})

t.test('a job that uses too much CPU time fails alone, and the next one runs', async (t) => {
  const pool = poolFor(t, { size: 1, maxCpuMs: 300 })
  await t.rejects(pool.runCheck(slow), {
    code: 'DEADLINE_EXCEEDED'
  })

  const long = 'a'.repeat(20_000)
  t.strictSame(await pool.describeDiff(long, long), [])
})

t.test('a slow small job does not keep others from the process for small ones', async (t) => {
  const pool = poolFor(t, { size: 1, maxCpuMs: 60_000, timeoutMs: 600_000 })
  const [a, b] = [pool.inLane('a'), pool.inLane('b')]
  await b.checkSyntax('a', 'javascript')
  // Together far more work than the small jobs of the other lane.
  const leaving = new AbortController()
  const ofA = Array.from({ length: 10 }, () => a.runCheck(slow, { signal: leaving.signal }))
  let ended = 0
  const countEnd = (): void => {
    ended++
  }
  for (const each of ofA) each.then(countEnd, () => {})

  for (let round = 0; round < 10; round++) {
    t.strictSame(await b.checkSyntax(`a${round}`, 'javascript'), { ok: true })
  }

  // If lanes alternated by jobs, each small job would wait for a long one. Now only the first one waits, for
  // a new process.
  t.ok(ended < ofA.length, `${ended} long ones ended before ten small ones of the other lane`)
  leaving.abort()
  await Promise.allSettled(ofA)
})

t.test('a job that throws fails alone', async (t) => {
  // A value that cannot be converted to code makes the method throw.
  await t.rejects(pool.analyze({ code: null as unknown as string, language: 'javascript' }), {
    code: 'JOB_FAILED'
  })

  t.strictSame(await pool.checkSyntax('a', 'javascript'), { ok: true })
})

t.test('a caller that leaves gets CANCELLED at once, waiting or running, and others continue', async (t) => {
  await pool.checkSyntax('a', 'javascript')
  const running = new AbortController()
  const waiting = new AbortController()
  const first = pool.analyze({ code: heavy, language: 'typescript' }, { signal: running.signal })
  const second = pool.checkSyntax('a', 'javascript', { signal: waiting.signal })
  const third = pool.checkSyntax('a', 'javascript')

  waiting.abort()
  await t.rejects(second, { code: 'CANCELLED' })
  running.abort()
  await t.rejects(first, { code: 'CANCELLED' })
  t.strictSame(await third, { ok: true })
  await t.rejects(pool.checkSyntax('a', 'javascript', { signal: AbortSignal.abort() }), { code: 'CANCELLED' })
})

t.test('a full lane refuses more work, and another lane is served', async (t) => {
  const pool = poolFor(t, { size: 1, timeoutMs: 60_000, maxPerLane: { jobs: 2, chars: 1_000 } })
  const a = pool.inLane('a')
  const accepted = [1, 2].map(() => a.checkSyntax('a', 'javascript'))
  const b = pool.inLane('b')
  accepted.push(b.checkSyntax('a'.repeat(900), 'javascript'))

  await t.rejects(a.checkSyntax('a', 'javascript'), { code: 'OVERLOADED', retryable: true })
  await t.rejects(b.checkSyntax('a'.repeat(200), 'javascript'), { code: 'OVERLOADED', retryable: true })

  t.strictSame(await Promise.all(accepted), [{ ok: true }, { ok: true }, { ok: true }])
})

t.test('a job that is abandoned while waiting frees its place', async (t) => {
  const pool = poolFor(t, { size: 1, timeoutMs: 60_000, maxPerLane: { jobs: 1, chars: 1_000 } })
  for (let count = 0; count < 1_000; count++) {
    const leaving = new AbortController()
    const job = pool.checkSyntax('a'.repeat(900), 'javascript', { signal: leaving.signal })
    leaving.abort()
    await job.catch(({ code }) => code === 'CANCELLED' || t.fail(code))
  }

  t.strictSame(await pool.checkSyntax('a'.repeat(900), 'javascript'), { ok: true })
})

t.test('closing ends the processes and all waiting jobs', async (t) => {
  const pool = createAnalysisPool({ size: 1 })
  const job = pool.analyze({ code: heavy, language: 'javascript' })
  const closing = pool.close()

  await t.rejects(job, { code: 'CANCELLED' })
  await closing
  await t.rejects(pool.checkSyntax('a', 'javascript'), { code: 'CANCELLED' })
})
