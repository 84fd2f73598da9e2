import type { AnalysisPool } from './analysis-pool/pool.js'
import type { ModelClient } from '@filewright/llm'
import type { InferenceOutcome, InferencePayload, InferenceProgress, JobContext } from '@filewright/queue'
import type { Logger } from '@filewright/runtime'
import { analyze } from './analyze.js'
import { generate } from './generate.js'
import { optimize } from './optimize.js'
import { createMeter } from './usage.js'

export interface InferenceDeps {
  model: Pick<ModelClient, 'chat'>
  analysis: Pick<AnalysisPool, 'inLane'>
  logger: Pick<Logger, 'warn'>
  /** For one response, over all its model calls. */
  answerMs: number
  /** By task. Default 0. */
  temperatures?: Partial<Record<InferencePayload['kind'], number>>
  /** Maximum tokens of one response. Default 4,096. */
  outputTokens?: number
}

export type InferenceHandler = (
  payload: InferencePayload,
  context: Pick<JobContext<InferenceProgress>, 'signal' | 'report' | 'attempt'>
) => Promise<InferenceOutcome>

export function createInferenceHandler(deps: InferenceDeps): InferenceHandler {
  return async (payload, { signal, report, attempt }) => {
    const meter = createMeter({
      model: deps.model,
      report,
      requestId: payload.requestId,
      attempt,
      temperature: deps.temperatures?.[payload.kind] ?? 0
    })
    // Tokens take turns at the analyzers. Jobs without a token share one lane.
    const inLane = { ...deps, analysis: deps.analysis.inLane(payload.tokenId) }
    switch (payload.kind) {
      case 'generate':
        return await generate(payload, meter, signal, inLane)
      case 'analyze':
        return await analyze(payload, meter, signal, inLane)
      case 'optimize':
        return await optimize(payload, meter, signal, inLane)
    }
  }
}
