import t from 'tap'
import { Value, type TSchema } from '@filewright/schema'
import { AnalysisResult, ErrorResponse, GenerationResult, OptimizationResult } from '@filewright/contracts'
import {
  numbersFrom,
  poll,
  randomFault,
  startOllamaServer,
  startStack,
  testSeed,
  type Fault,
  type OllamaRequest,
  type OllamaServerOptions
} from '@filewright/testing'
import { createAiClient, defaultModels, inFlight } from '../../src/index.js'

t.setTimeout(600_000)
const scripts = Number(process.env['FAULT_SCRIPTS'] ?? 150)
const seed = testSeed(t)
const DEADLINE_MS = 15_000

const hits = new Map<string, number>()
const played = new Map<number, () => number>()

/** Each script has its own stream of faults, whatever the order in which the requests arrive. */
function faultFor({ messages }: OllamaRequest): Fault {
  const number = Number(/script(\d+)/.exec(messages.map(({ content }) => content).join('\n'))?.[1] ?? -1)
  if (number < 0) return { kind: 'none' }
  const numbers = played.get(number) ?? numbersFrom(Math.imul(seed, 10_007) + number)
  played.set(number, numbers)
  const drawn = randomFault(numbers)
  hits.set(drawn.kind, (hits.get(drawn.kind) ?? 0) + 1)
  return drawn
}

const options: OllamaServerOptions = {
  models: defaultModels,
  respond: ({ messages }) => {
    const asked = messages.at(-1)?.content ?? ''
    if (asked.startsWith('Task: analyze')) return '{"findings":[]}'
    const name = /script\d+/.exec(asked)?.[0] ?? 'anything'
    // Every fifth draft is broken, so that repairs are tested under faults, too.
    return `\`\`\`js\nexport const ${Number(name.slice(6)) % 5 === 0 && asked.startsWith('Task: code') ? '= ' : ''}${name} = (list) => list.includes(1)\n\`\`\``
  },
  script: faultFor
}
let peer = await startOllamaServer(options)
t.teardown(async () => await peer.close())
const stack = await startStack(t, {
  env: {
    OLLAMA_HOST: peer.url,
    AI_RATE_LIMIT_PER_MINUTE: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    AI_DEADLINE_MS: String(DEADLINE_MS),
    INFERENCE_CONCURRENCY: '32',
    OLLAMA_CONNECT_TIMEOUT_MS: '1000',
    OLLAMA_FIRST_TOKEN_TIMEOUT_MS: '700',
    OLLAMA_IDLE_TIMEOUT_MS: '700',
    OLLAMA_TOTAL_TIMEOUT_MS: '3000',
    OLLAMA_NUM_PREDICT: '256',
    OLLAMA_MAX_OUTPUT_BYTES: '262144'
  }
})
const ai = createAiClient(stack.baseUrl, stack.token)
const codeOf = (number: number): string =>
  `// script${number}\nexport const script${number} = (list) => list.some((each) => each === 1)\n`
const requests: Array<
  [path: 'generate' | 'analyze' | 'optimize', schema: TSchema, body: (number: number) => object]
> = [
  [
    'generate',
    GenerationResult,
    (number) => ({
      prompt: `Write script${number}.`,
      type: number % 2 === 0 ? 'code' : 'api',
      language: 'javascript'
    })
  ],
  ['analyze', AnalysisResult, (number) => ({ code: codeOf(number), language: 'js' })],
  ['optimize', OptimizationResult, (number) => ({ code: codeOf(number), language: 'js' })]
]

t.test(
  `${scripts} random fault scripts, seed ${seed}, cause no malformed response, hang or crash`,
  async (t) => {
    const pids = stack.info().pids
    const statuses = new Map<string, number>()
    const wrong: string[] = []
    let slowestMs = 0

    await inFlight(scripts, 24, async (number) => {
      const [path, schema, bodyOf] = requests[number % requests.length]!
      const startedAt = Date.now()
      // A hang ends here and is reported.
      const { status, body, headers } = await ai.post(path, bodyOf(number), {
        signal: AbortSignal.timeout(DEADLINE_MS * 2)
      })
      const tookMs = Date.now() - startedAt
      slowestMs = Math.max(slowestMs, tookMs)
      statuses.set(`${path} ${status}`, (statuses.get(`${path} ${status}`) ?? 0) + 1)

      const allowed =
        path === 'analyze' ? [200] : path === 'optimize' ? [200, 400, 503, 504] : [200, 503, 504]
      const isValid =
        status === 200
          ? Value.Check(schema, body) &&
            /^(?:model|static|model\+static)$/.test(headers.get('x-engine') ?? '')
          : Value.Check(ErrorResponse, body)
      const isEmpty = status === 200 && (body.content === '' || body.optimized_code === '')
      if (!allowed.includes(status) || !isValid || isEmpty) {
        wrong.push(`script ${number}: ${path} ${status} ${JSON.stringify(body)}`)
      }
      if (tookMs > DEADLINE_MS + 2_000) wrong.push(`script ${number}: ${path} took ${tookMs} ms`)
    })

    const sorted = (counts: Map<string, number>): string =>
      [...counts]
        .sort()
        .map(([what, count]) => `${what}: ${count}`)
        .join(', ')
    t.comment(
      `seed ${seed}; ${[...hits.values()].reduce((sum, count) => sum + count, 0)} calls hit: ${sorted(hits)}`
    )
    t.comment(`answers: ${sorted(statuses)}; the slowest took ${slowestMs} ms`)
    t.strictSame(wrong, [])
    // On a busy machine a request may time out before the model has seen it.
    t.ok(played.size >= scripts * 0.9, `${played.size} of ${scripts} scripts were played`)
    t.strictSame(stack.info().pids, pids, 'no process died')
    await poll(() => peer.activeRequests() === 0, { what: 'the end of all requests to the model' })
  }
)

t.test(
  'without the model, analyze uses the static engine and generate is 503 at once; everything works when it is back',
  async (t) => {
    const pids = stack.info().pids
    const { port } = peer
    await peer.close()

    const analyzed = await ai.post('analyze', { code: 'eval(input)\n', language: 'js' })
    t.equal(analyzed.status, 200)
    t.equal(analyzed.headers.get('x-engine'), 'static')
    t.ok(Value.Check(AnalysisResult, analyzed.body) && analyzed.body.analysis.length > 0)
    const startedAt = Date.now()
    const refused = await ai.post('generate', { prompt: 'p', type: 'code' })
    const tookMs = Date.now() - startedAt
    t.match(refused, { status: 503, body: { error: 'Service temporarily unavailable, try again later' } })
    t.ok(refused.headers.get('retry-after'))
    t.comment(`503 after ${tookMs} ms`)
    t.ok(tookMs < 2_000, `within 2 s: ${tookMs} ms`)
    t.match(
      await ai.post('optimize', { code: 'var a = 1\nexport { a }\n', language: 'js' }),
      { status: 200, body: { improvements: [String] } },
      'the tools go on'
    )
    t.equal((await ai.post('optimize', { code: 'export const a = 1\n', language: 'js' })).status, 503)

    peer = await startOllamaServer({ ...options, port })
    t.equal((await ai.post('generate', { prompt: 'p', type: 'code' })).status, 200)
    t.equal(
      (await ai.post('analyze', { code: 'eval(input)\n', language: 'js' })).headers.get('x-engine'),
      'model+static'
    )
    t.strictSame(stack.info().pids, pids, 'without a restart')
  }
)
