import { Type, type Static } from '@filewright/schema'
import { AnalysisResult, OptimizationResult } from './ai.js'
import { limits } from './limits.js'

const exact = { additionalProperties: false }
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const generationKinds = ['generate', 'analyze', 'optimize'] as const
/** `unchanged`: there is no safe improvement, which is not a failure. */
export const generationStatuses = ['running', 'succeeded', 'unchanged', 'failed', 'cancelled'] as const

/** Contains neither the prompt or code nor the result. */
export const GenerationSummary = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(generationKinds),
    type: orNull(Type.String(), 'Of a generation: code, component, content or api'),
    model: orNull(
      Type.String(),
      'The model that answered, or was asked and did not answer; null if only the analyzers or the sandbox answered'
    ),
    engine: orNull(
      Type.String(),
      'Who answered: model, static (the analyzers alone), model+static or sandbox; null without an answer'
    ),
    status: Type.Enum(generationStatuses),
    tokens_used: Type.Integer({ minimum: 0 }),
    started_at: Type.String({ format: 'date-time' }),
    duration_ms: orNull(Type.Integer({ minimum: 0 }), 'Null while it runs')
  },
  exact
)
export type GenerationSummary = Static<typeof GenerationSummary>

/** The body of the request, to send again. Which fields it has depends on the kind. */
export const RecordedRequest = Type.Object(
  {
    prompt: Type.Optional(Type.String()),
    code: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
    language: Type.Optional(Type.String()),
    framework: Type.Optional(Type.String()),
    model: Type.Optional(Type.String()),
    analysis_type: Type.Optional(Type.String()),
    optimization_type: Type.Optional(Type.String())
  },
  exact
)
export type RecordedRequest = Static<typeof RecordedRequest>

/** The result from the body of the response. Which fields it has depends on the kind. */
export const RecordedResult = Type.Object(
  {
    content: Type.Optional(Type.String()),
    ...Type.Partial(AnalysisResult).properties,
    ...Type.Partial(OptimizationResult).properties
  },
  exact
)
export type RecordedResult = Static<typeof RecordedResult>

export const GenerationDetails = Type.Object(
  {
    ...GenerationSummary.properties,
    request: orNull(RecordedRequest, 'Null unless the service stored prompts and code at that time'),
    result: orNull(
      RecordedResult,
      'Null without a result, and unless the service stored results at that time'
    )
  },
  exact
)
export type GenerationDetails = Static<typeof GenerationDetails>

export const GenerationResponse = Type.Object({ generation: GenerationDetails }, exact)
export type GenerationResponse = Static<typeof GenerationResponse>

export interface GenerationParams {
  id: string
}

export const GenerationsResponse = Type.Object(
  {
    generations: Type.Array(GenerationSummary),
    next: orNull(Type.String(), 'The value of `after` for the next page; null at the end')
  },
  exact
)
export type GenerationsResponse = Static<typeof GenerationsResponse>

export const ListGenerationsQuery = Type.Object({
  after: Type.Optional(Type.String({ description: 'The value of `next` from the previous page' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, description: `Page size, at most ${limits.pageSize.max}; default 20` })
  )
})
export type ListGenerationsQuery = Static<typeof ListGenerationsQuery>

export const UsageEntry = Type.Object(
  {
    day: Type.String({ format: 'date', description: 'In UTC' }),
    model: orNull(Type.String(), 'As in the list of generations'),
    engine: orNull(Type.String(), 'static or sandbox if they answered instead of a model'),
    requests: Type.Integer({ minimum: 0 }),
    tokens: Type.Integer({ minimum: 0 })
  },
  exact
)
export type UsageEntry = Static<typeof UsageEntry>

export const GenerationUsageResponse = Type.Object(
  {
    days: Type.Integer({ description: 'Number of days, including today' }),
    usage: Type.Array(UsageEntry, { description: 'By day, then by model; days without requests are omitted' })
  },
  exact
)
export type GenerationUsageResponse = Static<typeof GenerationUsageResponse>
