import t from 'tap'
import { createMetrics, createWorkerMetrics, type Prom } from '../src/index.js'

const health = {
  report: () => ({
    status: 'degraded' as const,
    checks: {
      redis: { state: 'ok' as const, age_seconds: 1 },
      ollama: { state: 'down' as const, age_seconds: 1 }
    }
  })
}

t.test('events before the first scrape are counted, and the page includes process metrics', async (t) => {
  const metrics = createMetrics((prom: typeof Prom, registry) => ({
    things: new prom.Counter({ name: 'things_total', help: 'h', registers: [registry] })
  }))
  t.teardown(metrics.close)
  metrics.record(({ things }) => things.inc(2))

  const { contentType, text } = await metrics.page()
  t.match(contentType, /^text\/plain/)
  t.match(text, /^things_total 2$/m)
  t.match(text, /^filewright_event_loop_lag_seconds\{quantile="0.99"\} 0(\.\d+)?$/m)
  metrics.record(({ things }) => things.inc())
  t.match((await metrics.page()).text, /^things_total 3$/m)
})

t.test('a flood of events before the first scrape is counted completely', async (t) => {
  const metrics = createMetrics((prom: typeof Prom, registry) => ({
    things: new prom.Counter({ name: 'things_total', help: 'h', registers: [registry] })
  }))
  t.teardown(metrics.close)
  for (let i = 0; i < 5_000; i++) {
    metrics.record(({ things }) => things.inc())
  }

  t.match((await metrics.page()).text, /^things_total 5000$/m)
})

t.test("a worker's jobs are counted by outcome, and its health is exported as numbers", async (t) => {
  const metrics = createWorkerMetrics('scan', health, () => ({}))
  t.teardown(metrics.close)
  const handle = metrics.metered(async (fails: boolean) => {
    if (fails) throw new Error('no')
    return 'yes'
  })

  t.equal(await handle(false), 'yes')
  await t.rejects(handle(true), /no/)

  const { text } = await metrics.page()
  for (const line of [
    'filewright_worker_jobs_total{queue="scan",outcome="ok"} 1',
    'filewright_worker_jobs_total{queue="scan",outcome="ERROR"} 1',
    'filewright_worker_job_seconds_count{queue="scan"} 2',
    'filewright_worker_jobs_running{queue="scan"} 0',
    'filewright_dependency_up{dependency="redis"} 1',
    'filewright_dependency_up{dependency="ollama"} 0'
  ]) {
    t.ok(text.includes(`${line}\n`), line)
  }
})
