import { Type, type Static } from '@filewright/schema'
import {
  AnalysisResult,
  analysisTypes,
  Finding,
  generationTypes,
  modelIds,
  OptimizationResult,
  optimizationTypes,
  Proof,
  sarifLevels
} from '@filewright/contracts'
import { defineQueue } from '../define-queue.js'

const common = {
  v: Type.Literal(1),
  id: Type.String({ minLength: 1 }),
  requestId: Type.String(),
  /** The token's id; absent in jobs of a gateway older than the worker. */
  tokenId: Type.Optional(Type.String()),
  model: Type.Enum(modelIds)
}
const framework = Type.Optional(Type.String())

const GeneratePayload = Type.Object({
  ...common,
  kind: Type.Literal('generate'),
  prompt: Type.String(),
  type: Type.Enum(generationTypes),
  language: Type.Optional(Type.String()),
  framework,
  /** The client streams: text is sent as progress while the model writes. */
  stream: Type.Boolean()
})
export type GeneratePayload = Static<typeof GeneratePayload>

const AnalyzePayload = Type.Object({
  ...common,
  kind: Type.Literal('analyze'),
  code: Type.String(),
  language: Type.String(),
  framework,
  /** Where the client keeps the file: what a test or an example does is less serious. */
  path: Type.Optional(Type.String()),
  analysisTypes: Type.Array(Type.Enum(analysisTypes), { minItems: 1 }),
  /** The model is not called. */
  analyzersOnly: Type.Optional(Type.Boolean())
})
export type AnalyzePayload = Static<typeof AnalyzePayload>

const OptimizePayload = Type.Object({
  ...common,
  kind: Type.Literal('optimize'),
  code: Type.String(),
  language: Type.String(),
  framework,
  optimizationType: Type.Optional(Type.Enum(optimizationTypes))
})
export type OptimizePayload = Static<typeof OptimizePayload>

/** `sandbox`: fixed samples instead of a model. */
export const engines = ['model', 'static', 'model+static', 'sandbox'] as const
export type Engine = (typeof engines)[number]

const usage = {
  engine: Type.Enum(engines),
  /** The runtime's own name of the model that answered; absent when none did. */
  modelUsed: Type.Optional(Type.String()),
  tokensUsed: Type.Integer({ minimum: 0 })
}

const GenerateOutcome = Type.Object({
  ...usage,
  kind: Type.Literal('generate'),
  content: Type.String(),
  /** `length`: truncated at the model's output limit. */
  finish: Type.Enum(['stop', 'length'])
})
export type GenerateOutcome = Static<typeof GenerateOutcome>

const findingRule = {
  id: Type.String(),
  help: Type.String(),
  level: Type.Optional(Type.Enum(sarifLevels)),
  category: Type.Optional(Type.Enum(analysisTypes)),
  proof: Type.Optional(Proof),
  flow: Type.Optional(Type.Array(Type.Integer({ minimum: 1 })))
}

const AnalyzeOutcome = Type.Object({
  ...usage,
  kind: Type.Literal('analyze'),
  body: AnalysisResult,
  /** The rule of each finding, in the order of the body; absent from a worker older than the gateway. */
  rules: Type.Optional(Type.Array(Type.Object(findingRule))),
  /** What comments in the code accept; it is not in the body. Absent where there is nothing. */
  suppressed: Type.Optional(
    Type.Array(Type.Object({ ...Finding.properties, ...findingRule, reason: Type.String() }))
  )
})
export type AnalyzeOutcome = Static<typeof AnalyzeOutcome>

const OptimizeOutcome = Type.Object({ ...usage, kind: Type.Literal('optimize'), body: OptimizationResult })
export type OptimizeOutcome = Static<typeof OptimizeOutcome>

const InferenceProgress = Type.Object({
  /** The model's text since the last report; only when the client streams. */
  text: Type.String(),
  /** Characters of the response before this text. A retried job starts over. */
  at: Type.Integer({ minimum: 0 }),
  /** Tokens spent so far, for the record of an abandoned request. */
  tokensUsed: Type.Integer({ minimum: 0 }),
  /** The engine that writes; absent for a model. */
  engine: Type.Optional(Type.Literal('sandbox'))
})
export type InferenceProgress = Static<typeof InferenceProgress>

export type InferencePayload = GeneratePayload | AnalyzePayload | OptimizePayload
export type InferenceOutcome = GenerateOutcome | AnalyzeOutcome | OptimizeOutcome

/**
 * All work of models and analyzers. Prompts and code are in Redis only while a client waits for the response.
 */
export const inference = defineQueue<InferencePayload, InferenceOutcome, InferenceProgress>({
  name: 'inference',
  payload: Type.Union([GeneratePayload, AnalyzePayload, OptimizePayload]),
  result: Type.Union([GenerateOutcome, AnalyzeOutcome, OptimizeOutcome]),
  progress: InferenceProgress,
  // Results may be a quarter of a megabyte: few are kept, and polling replaces lost events.
  jobOptions: {
    attempts: 2,
    backoff: { type: 'fixed', delay: 200 },
    keepFinished: { age: 30, count: 64 },
    maxEvents: 500
  },
  jobId: ({ kind, id }) => `${kind}-${id}`
})
