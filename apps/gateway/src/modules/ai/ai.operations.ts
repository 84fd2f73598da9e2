import { detailedMediaType, sarifMediaType, sentences, type SarifLog } from '@filewright/contracts'
import { detailsOf, sarifOf, sarifOfBatch } from './sarif.js'
import { examples } from '../docs/examples.js'
import type { ResponseHeader } from '../docs/headers.js'
import type { Describe, Operation } from '../docs/operation.js'
import { idempotency, params } from '../docs/requests.js'
import {
  authenticated,
  failure,
  failures,
  json,
  frameworkError,
  schemaRef,
  sentence,
  success
} from '../docs/responses.js'

interface AiOperation {
  operationId: string
  summary: string
  request: [schema: string, example: object]
  result: [schema: string, example: object]
  wrong: string
  headers: ResponseHeader[]
  more?: object
}

function ai({ operationId, summary, request, result, wrong, headers, more = {} }: AiOperation): Operation {
  return {
    operationId,
    tags: ['ai'],
    summary,
    parameters: params('IdempotencyKey'),
    requestBody: { required: true, content: json(...request) },
    responses: {
      200: success('The answer', { ...json(...result), ...more }, [...headers, 'Idempotent-Replayed']),
      ...failures(
        [
          sentence(400, wrong),
          ...idempotency,
          failure('REQUEST_TIMEOUT'),
          frameworkError(413),
          frameworkError(415),
          failure('MODEL_UNAVAILABLE'),
          failure('MODEL_OUTPUT_INVALID'),
          failure('DEADLINE_EXCEEDED'),
          ...authenticated
        ],
        { 400: ['X-Rejection'], 503: ['X-Rejection'] }
      )
    }
  }
}

const stream = {
  'text/event-stream': {
    schema: {
      type: 'string',
      description:
        'With Accept: text/event-stream. `token` events while the model writes, then one `result` event with the JSON body, or one `error` event'
    },
    example: `event: token\ndata: {"text":"export "}\n\nevent: result\ndata: ${JSON.stringify(examples.generated)}\n\n`
  }
}

const sarif = (example: SarifLog) => ({
  [sarifMediaType]: {
    schema: {
      type: 'object',
      description:
        'With Accept: application/sarif+json. SARIF 2.1.0: the findings with rule ids, levels, advice, regions and stable fingerprints'
    },
    example
  }
})

const analyzedExample = {
  headers: { 'x-engine': 'model+static', 'x-analyzers': 'javascript' },
  body: examples.analyzed
}

export const listModels: Describe = () => ({
  operationId: 'listModels',
  tags: ['ai'],
  summary: 'List the models',
  parameters: params(),
  responses: {
    200: success('The catalogue', json('ModelsResponse', examples.models)),
    ...failures(authenticated)
  }
})

export const generate: Describe = () =>
  ai({
    operationId: 'generate',
    summary: 'Generate code, a component, content or API code from a prompt',
    request: ['GenerateRequest', examples.generate],
    result: ['GenerationResult', examples.generated],
    wrong: sentences.invalidGeneration,
    headers: ['X-Engine', 'X-Finish-Reason'],
    more: stream
  })

export const analyze: Describe = () =>
  ai({
    operationId: 'analyze',
    summary: 'Analyze code for bugs, performance, style or security issues',
    request: ['AnalyzeRequest', examples.analyze],
    result: ['AnalysisResult', examples.analyzed],
    wrong: sentences.invalidAnalysis,
    headers: ['X-Engine', 'X-Analyzers', 'X-Suppressed-Findings'],
    more: {
      [detailedMediaType]: {
        schema: schemaRef('DetailedAnalysisResult'),
        example: detailsOf(analyzedExample)
      },
      ...sarif(sarifOf(examples.analyze, analyzedExample))
    }
  })

export const analyzeBatch: Describe = () =>
  ai({
    operationId: 'analyzeBatch',
    summary: 'Analyze many files in one request, without a model',
    request: ['AnalyzeBatchRequest', examples.analyzeBatch],
    result: ['AnalysisBatchResult', examples.analyzedBatch],
    wrong: sentences.invalidAnalysis,
    headers: ['X-Engine', 'X-Suppressed-Findings'],
    more: sarif(sarifOfBatch(examples.analyzeBatch, [analyzedExample]))
  })

export const optimize: Describe = () =>
  ai({
    operationId: 'optimize',
    summary: 'Optimize code',
    request: ['OptimizeRequest', examples.optimize],
    result: ['OptimizationResult', examples.optimized],
    wrong: sentences.unableToOptimize,
    headers: ['X-Engine']
  })
