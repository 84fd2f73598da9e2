import { Value, type TSchema } from '@filewright/schema'
import { inFlight } from '@filewright/acceptance'
import { AnalysisResult, ErrorResponse, GenerationResult, OptimizationResult } from '@filewright/contracts'
import { poll, randomFault, type Fault, type OllamaRequest } from '@filewright/testing'
import { createRandom, type Random } from '../harness/random.js'
import type { Row } from '../harness/row.js'

type Path = 'generate' | 'analyze' | 'optimize'

const codeOf = (number: number): string =>
  `// script${number}x\nexport const script${number}x = (list) => list.some((each) => each === 1)\n`
const REQUESTS: ReadonlyArray<{
  path: Path
  schema: TSchema
  allowed: readonly number[]
  body: (number: number) => object
}> = [
  {
    path: 'generate',
    schema: GenerationResult,
    allowed: [200, 503, 504],
    body: (number) => ({ prompt: `Write script${number}x.`, type: 'code', language: 'javascript' })
  },
  // The analyzers answer without a model.
  {
    path: 'analyze',
    schema: AnalysisResult,
    allowed: [200],
    body: (number) => ({ code: codeOf(number), language: 'js' })
  },
  {
    path: 'optimize',
    schema: OptimizationResult,
    allowed: [200, 400, 503, 504],
    body: (number) => ({ code: codeOf(number), language: 'js' })
  }
]
/** The deadline of the rig, and a margin for a busy machine. */
const LATEST_MS = 15_000 + 5_000

export const modelFaults: Row = {
  name: 'Ollama down, frozen, endless, invalid JSON, cut off, 500, wrong model, 100 MB',
  promises: ['P7', 'P8', 'P10', 'P11'],
  target: '1,000 scripts, 0 malformed 200s',
  counts: { quick: 45, full: 1_000 },
  run: async ({ rig, tally, count, seed, history }) => {
    const subject = rig.subject({ history, onFault: tally.violate })
    const played = new Map<number, Random>()
    rig.scriptModel((request) => {
      const fault = faultFor(request, played, seed)
      if (fault.kind !== 'none') tally.hit++
      return fault
    })

    const ask = async (number: number): Promise<number> => {
      const { path, schema, allowed, body: bodyOf } = REQUESTS[number % REQUESTS.length] ?? REQUESTS[0]!
      const { status, body, headers, ms } = await subject.ai(path, bodyOf(number))
      tally.operations++
      const isValid =
        status === 200
          ? Value.Check(schema, body) && /^(model|static|model\+static)$/.test(headers.get('x-engine') ?? '')
          : Value.Check(ErrorResponse, body)
      const isEmpty = status === 200 && (body.content === '' || body.optimized_code === '')
      if (!allowed.includes(status) || !isValid || isEmpty) {
        tally.violate(`script ${number}: ${path} ${status} ${JSON.stringify(body)}`)
      }
      tally.expect(ms < LATEST_MS, `script ${number}: ${path} took ${Math.round(ms)} ms`)
      return status
    }

    await inFlight(count, 16, async (number) => {
      tally.injected++
      await ask(number)
    })
    tally.expect(played.size > 0, 'no script was played')
    // Down, and then frozen.
    const { refuse, reset, freeze, thaw } = rig.proxies.ollama
    const gone = (): void => {
      refuse(true)
      reset()
    }
    for (const [away, back] of [
      [gone, () => refuse(false)],
      [freeze, thaw]
    ] as const) {
      rig.scriptModel(null)
      tally.injected++
      away()
      try {
        await Promise.all([0, 1, 2].map(ask))
        tally.hit++
      } finally {
        back()
      }
      const startedAt = performance.now()
      await poll(async () => (await ask(0)) === 200, {
        what: 'generations working again',
        timeoutMs: 30_000,
        intervalMs: 100
      })
      tally.recoveryMs.push(performance.now() - startedAt)
    }
    await poll(() => rig.ollama.openConnections() <= 4, {
      what: 'the end of all connections to the model'
    }).catch((error: Error) => tally.violate(error.message))
  }
}

/** Each script has its own stream of faults, whatever the order in which requests arrive. */
function faultFor({ messages }: OllamaRequest, played: Map<number, Random>, seed: number): Fault {
  const number = Number(/script(\d+)x/.exec(messages.map(({ content }) => content).join('\n'))?.[1] ?? -1)
  if (number < 0) return { kind: 'none' }
  const random = played.get(number) ?? createRandom(seed).fork(`script ${number}`)
  played.set(number, random)
  return randomFault(random.next)
}
