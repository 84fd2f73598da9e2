import type {
  AnalysisBatchResult,
  AnalysisResult,
  AnalyzeBatchRequest,
  AnalyzeRequest,
  GenerateRequest,
  GenerationResult,
  ModelRecord,
  ModelsResponse,
  OptimizationResult,
  OptimizeRequest,
  SarifLog
} from '@filewright/contracts'
import { errorOf, ServiceError } from './errors.js'
import { eventsIn } from './events.js'
import { throwUnlessOk, type CallOptions, type Transport } from './transport.js'

/**
 * Awaited it is the result; iterated it gives the model's text as it is written, and the result afterwards.
 */
export interface Generation extends PromiseLike<GenerationResult>, AsyncIterable<string> {}

export interface AiApi {
  generate: (request: GenerateRequest, options?: CallOptions) => Generation
  analyze: (request: AnalyzeRequest, options?: CallOptions) => Promise<AnalysisResult>
  /** The same findings with their rules and levels, as SARIF 2.1.0; the file is called `code` in it. */
  analyzeAsSarif: (request: AnalyzeRequest, options?: CallOptions) => Promise<SarifLog>
  /** Many files at once, by the analyzers alone: together as long as the code of one analysis may be. */
  analyzeBatch: (request: AnalyzeBatchRequest, options?: CallOptions) => Promise<AnalysisBatchResult>
  /** The same as SARIF 2.1.0, one artifact for each file. */
  analyzeBatchAsSarif: (request: AnalyzeBatchRequest, options?: CallOptions) => Promise<SarifLog>
  optimize: (request: OptimizeRequest, options?: CallOptions) => Promise<OptimizationResult>
  models: (options?: CallOptions) => Promise<ModelRecord[]>
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
        (result ??= transport.post<GenerationResult>(PATH, request, options)).then(onDone, onFailed),

      async *[Symbol.asyncIterator]() {
        for await (const { event, data } of eventsIn(await openStream(request, options))) {
          if (event === 'token') yield (data as { text: string }).text
          else if (event === 'result') result = Promise.resolve(data as GenerationResult)
          else if (event === 'error') throw errorOf(500, new Headers(), (data as { error: string }).error)
        }
        if (result === undefined) {
          throw new ServiceError('The stream ended before its result', { code: 'cut-off' })
        }
      }
    }
  }

  async function asSarif(path: string, request: object, options: CallOptions): Promise<SarifLog> {
    const accept = 'application/sarif+json'
    const log = await transport.post<SarifLog | object | null>(path, request, { ...options, accept })
    if (log !== null && 'runs' in log) return log
    throw new ServiceError('The service does not know SARIF; it is older than this client', {
      code: 'no-sarif'
    })
  }

  return {
    generate,
    analyze: async (request, options = {}) => await transport.post(ANALYZE, request, options),
    analyzeAsSarif: async (request, options = {}) => await asSarif(ANALYZE, request, options),
    analyzeBatch: async (request, options = {}) => await transport.post(BATCH, request, options),
    analyzeBatchAsSarif: async (request, options = {}) => await asSarif(BATCH, request, options),
    optimize: async (request, options = {}) => await transport.post('/api/ai/optimize', request, options),
    models: async (options = {}) =>
      (await transport.request<ModelsResponse>('GET', '/api/ai/models', options)).models
  }
}
