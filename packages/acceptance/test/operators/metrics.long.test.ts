import { readFileSync } from 'node:fs'
import { copyFile, readdir, readFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { poll, startStack } from '@filewright/testing'
import {
  createAiClient,
  createClient,
  eicar,
  parsePrometheus,
  uniqueText,
  type MetricFamily,
  type Sample
} from '../../src/index.js'

const stack = await startStack(t, { env: { SWEEP_INTERVAL_MS: '1000', RESCAN_INTERVAL_MS: '1000' } })
const client = createClient(stack.baseUrl, stack.token)
const ai = createAiClient(stack.baseUrl, stack.token)

/** The local stack picks the workers' ports; a scraper in production knows them. */
async function probeUrl(worker: string): Promise<string> {
  const environ = await readFile(`/proc/${stack.pid(worker)}/environ`, 'utf8')
  return `http://127.0.0.1:${/PROBE_PORT=(\d+)/.exec(environ)?.[1]}`
}
const sources = [stack.adminUrl, await probeUrl('scan-worker-1'), await probeUrl('inference-worker-1')]

async function page(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(5_000) })
  const type = response.headers.get('content-type') ?? ''
  if (!type.startsWith('text/plain; version=0.0.4')) throw new Error(`metrics came as ${type}`)
  return await response.text()
}

async function families(): Promise<Map<string, MetricFamily>> {
  const parsed = await Promise.all(sources.map(async (url) => parsePrometheus(await page(url))))
  const all = new Map<string, MetricFamily>()
  for (const [name, family] of parsed.flatMap((one) => [...one])) {
    all.set(name, { ...family, samples: [...(all.get(name)?.samples ?? []), ...family.samples] })
  }
  return all
}

const isCount = ({ name }: Sample): boolean => !/_(bucket|sum)$/.test(name)
const totalOf = (family: MetricFamily | undefined, wanted: (sample: Sample) => boolean = isCount): number => {
  return (family?.samples ?? []).filter(wanted).reduce((sum, { value }) => sum + value, 0)
}

/** A blob without a row, as a crash would leave it, old enough to be swept. */
async function leaveOrphan(id: string): Promise<void> {
  const entries = await readdir(join(stack.dataDir, 'blobs'), { recursive: true, withFileTypes: true })
  const entry = entries.find(({ name }) => name.includes(id))
  if (entry === undefined) throw new Error('the uploaded blob is not on the disk')
  const orphan = join(
    entry.parentPath,
    entry.name.replace(id, `${id.startsWith('0') ? '1' : '0'}${id.slice(1)}`)
  )
  await copyFile(join(entry.parentPath, entry.name), orphan)
  await utimes(orphan, new Date(0), new Date(0))
}

let before = new Map<string, MetricFamily>()

t.test('every page is valid for Prometheus, also before any traffic', async (t) => {
  before = await families()

  for (const name of [
    'filewright_event_loop_lag_seconds',
    'process_resident_memory_bytes',
    'filewright_dependency_up'
  ]) {
    t.ok(before.has(name), name)
  }
})

t.test('traffic changes every metric that it should', async (t) => {
  const webhook = await fetch(`${stack.baseUrl}/api/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      project_id: 'canary-project-9911',
      url: 'http://127.0.0.1:1029/nobody-listens',
      events: ['file.created']
    })
  })
  t.equal(webhook.status, 201)
  const uploaded = await client.upload({
    content: uniqueText(5_000),
    name: 'canary-name-9911.txt',
    project: 'canary-project-9911'
  })
  t.equal(uploaded.status, 201)
  await leaveOrphan(uploaded.body.file.id)
  await client.download(uploaded.body.file.url, {})
  await client.upload({ content: eicar, name: 'eicar.txt' })
  await client.call('GET', `/nowhere/${uploaded.body.file.id}`)
  await ai.post('generate', { prompt: 'canary-prompt-9911', type: 'code', language: 'javascript' })
  await ai.post('analyze', { code: 'eval(1)\n', language: 'javascript' })
  await ai.post('optimize', { code: 'var a = 1\nconsole.log(a)\n', language: 'javascript' })

  let after = new Map<string, MetricFamily>()
  const gauges =
    /_(waiters|queue_jobs|queue_oldest_job_seconds|dependency_up|worker_jobs_running|event_loop_lag_seconds|signatures_official|signatures_age_hours)$/
  const troubles = /_(downloads_not_logged_total|webhooks_disabled_total)$/
  const still = (): string[] =>
    [...after]
      .filter(([name]) => name.startsWith('filewright_') && !gauges.test(name) && !troubles.test(name))
      .filter(([name, family]) => totalOf(family) <= totalOf(before.get(name)))
      .map(([name]) => name)
  const orphansRemoved = (): number =>
    totalOf(after.get('filewright_swept_total'), ({ labels }) => labels.what === 'orphansRemoved')
  // The sweeper runs by itself.
  await poll(
    async () => {
      after = await families()
      return still().length === 0 && orphansRemoved() > 0
    },
    { what: 'every counter moving', timeoutMs: 30_000, intervalMs: 500 }
  ).catch(() => {})
  t.strictSame(still(), [])

  t.equal(totalOf(after.get('filewright_upload_bytes_total')), 5_000 + eicar.length)
  t.equal(totalOf(after.get('filewright_download_bytes_total')), 5_000)
  t.equal(
    totalOf(after.get('filewright_scans_total'), ({ labels }) => labels.verdict === 'infected'),
    1
  )
  t.equal(orphansRemoved(), 1)
  t.equal(
    totalOf(
      after.get('filewright_ai_tokens_total'),
      ({ labels }) => labels.kind === 'generate' && labels.engine === 'sandbox'
    ) > 0,
    true
  )
  t.equal(
    totalOf(
      after.get('filewright_http_requests_total'),
      ({ labels }) => labels.route === 'none' && labels.status === '404'
    ),
    1
  )

  const text = (await Promise.all(sources.map(page))).join('')
  for (const secret of ['canary-', uploaded.body.file.id, stack.token, 'eicar.txt']) {
    t.notOk(text.includes(secret), `nothing of ${secret} in any label`)
  }
})

t.test('waiting jobs are visible while they wait', async (t) => {
  const pid = stack.pid('scan-worker-1')!
  process.kill(-pid, 'SIGSTOP')
  const upload = client.upload({ content: uniqueText(100) })
  try {
    await poll(
      async () => {
        const now = parsePrometheus(await page(stack.adminUrl))
        const ofScan = ({ labels }: Sample): boolean =>
          labels.queue === 'scan' && (labels.state === undefined || labels.state === 'waiting')
        return (
          totalOf(now.get('filewright_waiters')) > 0 &&
          totalOf(now.get('filewright_queue_jobs'), ofScan) > 0 &&
          totalOf(now.get('filewright_queue_oldest_job_seconds'), ofScan) > 0
        )
      },
      { what: 'a waiting job in the metrics', timeoutMs: 20_000, intervalMs: 200 }
    )
  } finally {
    process.kill(-pid, 'SIGCONT')
  }
  t.equal((await upload).status, 201, 'and is done afterwards')
})

t.test('every metric that the dashboard and the alerts name exists', async (t) => {
  const dashboard = readFileSync(
    new URL('../../../../../infra/grafana/filewright.json', import.meta.url),
    'utf8'
  )
  const { panels } = JSON.parse(dashboard) as { panels: Array<{ targets?: Array<{ expr: string }> }> }
  const named = new Set(
    panels.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => expr.match(/\b(?:filewright|nodejs|process)_\w+/g) ?? [])
    )
  )
  const alerts = readFileSync(new URL('../../../../../infra/prometheus/alerts.yaml', import.meta.url), 'utf8')
  for (const name of alerts.match(/\b(?:filewright|nodejs|process)_\w+/g) ?? []) named.add(name)
  const known = await families()

  t.ok(named.size > 20, `${named.size} metrics`)
  t.strictSame(
    [...named].filter(
      (name) => !known.has(name) && known.get(name.replace(/_(bucket|sum|count)$/, ''))?.type !== 'histogram'
    ),
    []
  )
  const unseen = [...known.keys()].filter(
    (name) => name.startsWith('filewright_') && ![...named].some((used) => used.startsWith(name))
  )
  t.strictSame(unseen, [], 'and the dashboard shows every metric of ours')
})
