import t from 'tap'
import { createAnalysisPool, type AnalysisPool } from '../src/analysis-pool/pool.js'
import type { InferencePayload } from '@filewright/queue'
import { createInferenceHandler } from '../src/index.js'
import { fenced, logger } from './helpers/test-worker.js'

t.setTimeout(240_000)

const common = { v: 1, id: 'i', requestId: 'r', model: 'alpha-4o-mini', language: 'javascript' } as const
const payloads: InferencePayload[] = [
  { ...common, kind: 'generate', prompt: 'p', type: 'code', stream: false },
  { ...common, kind: 'analyze', code: 'var a = 1\n', analysisTypes: ['style'] },
  { ...common, kind: 'optimize', code: 'export function f (a) {\n  var b = a\n  return b\n}\n' }
]

t.test("a job's analyses run in the lane of its token, or in the shared lane without one", async (t) => {
  const pool = createAnalysisPool({ size: 1 })
  t.teardown(() => pool.close())
  const lanes: unknown[] = []
  const analysis: Pick<AnalysisPool, 'inLane'> = {
    inLane: (lane) => {
      lanes.push(lane)
      return pool.inLane(lane)
    }
  }
  const usage = { promptTokens: 1, outputTokens: 1, tokensUsed: 2, isSandbox: false }
  const answer = { text: fenced('let a = 1'), model: 'm', ...usage, finish: 'stop' as const }
  const model = { chat: async () => answer }
  const handle = createInferenceHandler({ model, analysis, logger, answerMs: 10_000 })

  for (const payload of payloads) {
    const context = { signal: new AbortController().signal, attempt: 1, report: async () => {} }
    const withToken = { ...payload, tokenId: `token of ${payload.kind}` }
    await handle(withToken, context)
    await handle(payload, context)
  }

  t.strictSame(lanes, [
    'token of generate',
    undefined,
    'token of analyze',
    undefined,
    'token of optimize',
    undefined
  ])
})
