import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import {
  createTestDatabase,
  MIGRATED,
  poll,
  SHARED_SERVER,
  startOllamaServer,
  startStack
} from '@filewright/testing'
import { createAiClient, createClient, defaultModels, eicar, startTraceCollector } from '../../src/index.js'

/** Secrets of users and operators. Each is searched for in everything that leaves the service. */
const secrets = {
  token: 'canary-token-86c1f0d2',
  adminPassword: 'canary-admin-86c1f0d2',
  databasePassword: 'canary-database-86c1f0d2',
  signingKey: 'canary-signing-86c1f0d2',
  prompt: 'canary-prompt-86c1f0d2',
  code: 'canaryCode86c1f0d2',
  fileName: 'canary-name-86c1f0d2',
  content: 'canary-content-86c1f0d2',
  description: 'canary-description-86c1f0d2',
  folder: 'canary-folder-86c1f0d2',
  wrongToken: 'canary-wrong-86c1f0d2',
  query: 'canary-query-86c1f0d2',
  answer: 'canary-answer-86c1f0d2'
}

let spans = ''
const collector = await startTraceCollector(t, (body) => {
  spans += body
})

// Repeats its input in errors, as some runtimes do.
const ollama = await startOllamaServer({
  models: defaultModels,
  respond: () => `\`\`\`js\nexport const a = '${secrets.answer}'\n\`\`\``,
  script: ({ messages }) => {
    const asked = messages.at(-1)?.content ?? ''
    return asked.includes('fail')
      ? { kind: 'status', status: 500, message: asked }
      : asked.includes('break')
        ? { kind: 'error-line', message: asked }
        : undefined
  }
})
t.teardown(async () => await ollama.close())

const database =
  process.env[SHARED_SERVER] === undefined ? undefined : await createTestDatabase({ template: MIGRATED })
if (database !== undefined) t.teardown(database.stop)
const stack = await startStack(t, {
  env: {
    ...(database === undefined
      ? {}
      : { DATABASE_URL: Object.assign(new URL(database.url), { password: secrets.databasePassword }).href }),
    ACCESS_TOKEN: secrets.token,
    ADMIN_PASSWORD: secrets.adminPassword,
    CDN_SIGNED: 'true',
    CDN_SIGNING_KEY: secrets.signingKey,
    OLLAMA_HOST: ollama.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '200',
    // The most verbose level, so that every possible log line is checked.
    LOG_LEVEL: 'trace'
  }
})
const client = createClient(stack.baseUrl, secrets.token)
const ai = createAiClient(stack.baseUrl, secrets.token)
const javascript = { language: 'javascript' }

/** Responses that a stranger or the wrong reader may see. */
let shown = ''
async function show(answer: Promise<{ status: number; headers: Headers; body: unknown }>): Promise<number> {
  const { status, headers, body } = await answer
  shown += JSON.stringify([status, [...headers], status < 400 ? null : body])
  return status
}

t.test('every kind of request, good, bad and failing', async (t) => {
  const file = {
    content: secrets.content,
    name: `${secrets.fileName}.txt`,
    description: secrets.description,
    folder: secrets.folder
  }
  t.equal(await show(client.upload(file)), 201)
  t.equal(await show(client.upload({ ...file, content: `${secrets.content} ${eicar}` })), 400)
  t.equal(await show(client.upload({ ...file, folder: `${secrets.folder}/../x` })), 400)
  t.equal(await show(client.upload({ ...file, name: `${secrets.fileName}\u202e.txt` })), 400)
  t.equal(await show(client.upload({ ...file, content: Buffer.from([0, 1, 2, 3]) })), 400)
  t.equal(await show(client.call('GET', `/api/files?project_id=acme&type=${secrets.query}`)), 400)
  t.equal(await show(client.call('GET', `/api/${secrets.query}`)), 404)
  t.equal(
    await show(createClient(stack.baseUrl, secrets.wrongToken).call('GET', '/api/files?project_id=acme')),
    401
  )
  t.equal(await show(ai.post('generate', { prompt: secrets.prompt, type: 'code', ...javascript })), 200)
  t.equal(
    await show(ai.post('generate', { prompt: `${secrets.prompt} fail`, type: 'code', ...javascript })),
    503
  )
  t.equal(
    await show(ai.post('generate', { prompt: `${secrets.prompt} break`, type: 'code', ...javascript })),
    503
  )
  t.equal(await show(ai.post('generate', `{"prompt":"${secrets.prompt}`)), 400)
  t.equal(
    await show(ai.post('analyze', { code: `const ${secrets.code} = eval(1) // fail\n`, ...javascript })),
    200
  )
  t.equal(await show(ai.post('optimize', { code: `const ${secrets.code} = (\n`, ...javascript })), 400)
  const key = { 'idempotency-key': 'once', 'content-type': 'application/json' }
  t.equal(
    await show(
      ai.post('generate', { prompt: secrets.prompt, type: 'code', ...javascript }, { headers: key })
    ),
    200
  )
  t.equal(
    await show(
      ai.post('generate', { prompt: `${secrets.prompt} 2`, type: 'code', ...javascript }, { headers: key })
    ),
    422
  )
})

t.test(
  'no secret is in an error, a header, a log, a metric, a trace, the dashboard, or the list of processes',
  async (t) => {
    await poll(() => spans.includes('POST /api/ai/optimize'), { what: 'the spans', timeoutMs: 20_000 })
    const logs = join(stack.dataDir, 'logs')
    const names = await readdir(logs)
    const pids = Object.values(stack.info().pids)
    const asAdmin = {
      authorization: `Basic ${Buffer.from(`admin:${secrets.adminPassword}`).toString('base64')}`
    }
    const board = async (path: string): Promise<string> =>
      await (await fetch(`${stack.adminUrl}/queues${path}`, { headers: asAdmin })).text()
    const places: Record<string, string> = {
      'errors and headers': shown,
      spans,
      metrics: await (await fetch(`${stack.adminUrl}/metrics`)).text(),
      health: await (await fetch(`${stack.adminUrl}/health/ready`)).text(),
      dashboard: (
        await Promise.all(
          ['scan', 'inference'].flatMap((queue) =>
            ['completed', 'failed', 'latest'].map(
              async (status) =>
                await board(`/api/queues?activeQueue=${queue}&status=${status}&page=1&jobsPerPage=50`)
            )
          )
        )
      ).join('\n'),
      'command lines': (
        await Promise.all(
          pids.map(async (pid) => await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))
        )
      ).join('\n'),
      ...Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await readFile(join(logs, name), 'utf8')]))
      )
    }

    t.match(places['gateway.log'], 'request refused', 'the log is as talkative as it gets')
    t.match(places['dashboard'], 'masked')
    t.ok(pids.length >= 4 && spans.length > 1_000 && shown.length > 1_000)
    for (const [place, content] of Object.entries(places)) {
      for (const [name, secret] of Object.entries(secrets)) {
        const at = content.indexOf(secret)
        t.equal(
          at,
          -1,
          `${name} in ${place}${at < 0 ? '' : `: …${content.slice(Math.max(0, at - 120), at + 40)}…`}`
        )
      }
    }
  }
)
