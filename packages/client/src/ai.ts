import type {
  AnalysisBatchResult,
  AnalysisResult,
  AnalyzeBatchRequest,
  AnalyzeRequest,
  GenerateRequest,
  GenerationResult,
  GenerationDetails,
  GenerationsResponse,
  GenerationUsageResponse,
  ModelRecord,
  OptimizationResult,
  OptimizeRequest,
  SarifLog
} from '@filewright/contracts'
import {
  analysisAnswer,
  batchAnswer,
  generationAnswer,
  generationsAnswer,
  modelsAnswer,
  optimizationAnswer,
  recordedAnswer,
  tokenAnswer,
  usageAnswer
} from './ai-answers.js'
import { errorOf, ServiceError } from './errors.js'
import { queryOf } from './files.js'
import { eventsIn } from './events.js'
import { sarifAnswer } from './sarif-answer.js'
import { throwUnlessOk, type CallOptions, type Transport } from './transport.js'

/**
 * Awaiting returns the result; iterating returns the model's text as it is written, and the result
 * afterwards.
 */
export interface Generation extends PromiseLike<GenerationResult>, AsyncIterable<string> {}

export interface AiApi {
  generate: (request: GenerateRequest, options?: CallOptions) => Generation
  analyze: (request: AnalyzeRequest, options?: CallOptions) => Promise<AnalysisResult>
  /** The same findings with their rules and levels, as SARIF 2.1.0; the file is named `code`. */
  analyzeAsSarif: (request: AnalyzeRequest, options?: CallOptions) => Promise<SarifLog>
  /** Many files at once, by the analyzers only: together at most as long as the code of one analysis. */
  analyzeBatch: (request: AnalyzeBatchRequest, options?: CallOptions) => Promise<AnalysisBatchResult>
  /** The same as SARIF 2.1.0, one artifact for each file. */
  analyzeBatchAsSarif: (request: AnalyzeBatchRequest, options?: CallOptions) => Promise<SarifLog>
  optimize: (request: OptimizeRequest, options?: CallOptions) => Promise<OptimizationResult>
  models: (options?: CallOptions) => Promise<ModelRecord[]>
  /** The token's AI requests, newest first, without prompts, code and results. `next` is for `after`. */
  history: (options?: CallOptions & { after?: string; limit?: number }) => Promise<GenerationsResponse>
  /** One of them, with its texts if the service stores them. */
  recorded: (id: string, options?: CallOptions) => Promise<GenerationDetails>
  /** Requests and tokens of the last days, per day and model. */
  usage: (options?: CallOptions) => Promise<GenerationUsageResponse>
}

const PATH = '/api/ai/generate'
const ANALYZE = '/api/ai/analyze'
const BATCH = `${ANALYZE}/batch`
/** Until the first token. */
const STREAM_TIMEOUT_MS = 330_000

export function createAiApi(transport: Transport): AiApi {
  async function openStream(
    request: GenerateRequest,
    options: CallOptions
  ): Promise<ReadableStream<Uint8Array>> {
    return (await transport.call({
      timeoutMs: STREAM_TIMEOUT_MS,
      ...options,
      path: PATH,
      keyed: true,
      lasting: true,
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      send: async ({ url, ...init }) =>
        await transport.fetch(url, { method: 'POST', body: JSON.stringify(request), ...init }),
      read: async (response) => {
        await throwUnlessOk(response)
        return response.body
      }
    })) as ReadableStream<Uint8Array>
  }

  function generate(request: GenerateRequest, options: CallOptions = {}): Generation {
    let result: Promise<GenerationResult> | undefined
    return {
      then: (onDone, onFailed) =>
        (result ??= transport.post(PATH, request, generationAnswer, options)).then(onDone, onFailed),

      async *[Symbol.asyncIterator]() {
        for await (const { event, data } of eventsIn(await openStream(request, options))) {
          if (event === 'token') yield tokenAnswer(data).text
          else if (event === 'result') result = Promise.resolve(generationAnswer(data))
          else if (event === 'error') {
            throw errorOf(500, new Headers(), (data as { error?: unknown } | null)?.error)
          }
        }
        if (result === undefined) {
          throw new ServiceError('The stream ended before its result', { code: 'cut-off' })
        }
      }
    }
  }

  async function asSarif(path: string, request: object, options: CallOptions): Promise<SarifLog> {
    const accept = 'application/sarif+json'
    const sarif = (value: unknown): SarifLog => {
      if (typeof value === 'object' && value !== null && !('runs' in value)) {
        throw new ServiceError('The service does not know SARIF; it is older than this client', {
          code: 'no-sarif'
        })
      }
      return sarifAnswer(value)
    }
    return await transport.post(path, request, sarif, { ...options, accept })
  }

  return {
    generate,
    analyze: async (request, options = {}) => await transport.post(ANALYZE, request, analysisAnswer, options),
    analyzeAsSarif: async (request, options = {}) => await asSarif(ANALYZE, request, options),
    analyzeBatch: async (request, options = {}) => await transport.post(BATCH, request, batchAnswer, options),
    analyzeBatchAsSarif: async (request, options = {}) => await asSarif(BATCH, request, options),
    optimize: async (request, options = {}) =>
      await transport.post('/api/ai/optimize', request, optimizationAnswer, options),
    models: async (options = {}) =>
      (await transport.request('GET', '/api/ai/models', modelsAnswer, options)).models,
    history: async ({ after, limit, ...options } = {}) =>
      await transport.request(
        'GET',
        `/api/generations${queryOf({ after, limit })}`,
        generationsAnswer,
        options
      ),
    recorded: async (id, options = {}) =>
      (await transport.request('GET', `/api/generations/${encodeURIComponent(id)}`, recordedAnswer, options))
        .generation,
    usage: async (options = {}) =>
      await transport.request('GET', '/api/generations/usage', usageAnswer, options)
  }
}
