import {
  analysisTypes,
  defaultModelId,
  isFailure,
  type AnalysisResult,
  type AnalyzeRequest,
  type GenerateRequest,
  type GenerationResult,
  type ModelId,
  type OptimizationResult,
  type OptimizeRequest
} from '@filewright/contracts'
import type { Database, GenerationResult as EndedGeneration } from '@filewright/db'
import {
  inference,
  type AnalyzeOutcome,
  type Engine,
  type GenerateOutcome,
  type GeneratePayload,
  type InferenceOutcome,
  type InferencePayload,
  type InferenceProgress,
  type OptimizeOutcome,
  type QueueClient
} from '@filewright/queue'
import {
  AppError,
  createId,
  failpoint,
  isAppError,
  linkSignals,
  type Clock,
  type Logger
} from '@filewright/runtime'
import type { Principal } from '../tokens/principal.js'

export interface AiContext {
  principal: Principal
  requestId: string
  signal: AbortSignal
  /** From `performance.now()`: one deadline for all jobs of the request. */
  startedAt: number
  /** Set when the client streams the response. */
  onText?: (text: string, engine: Engine) => void
}

export interface AnalyzeOptions {
  /** Runs only the static analyzers. */
  analyzersOnly?: boolean
  /** The name of the file, if the client gave one. */
  path?: string
}

export interface EngineResult<T> {
  body: T
  engine: Engine
}

export interface AiService {
  generate: (
    request: GenerateRequest,
    context: AiContext
  ) => Promise<EngineResult<GenerationResult> & Pick<GenerateOutcome, 'finish'>>
  analyze: (
    request: AnalyzeRequest,
    context: AiContext,
    options?: AnalyzeOptions
  ) => Promise<EngineResult<AnalysisResult> & Pick<AnalyzeOutcome, 'rules' | 'suppressed'>>
  optimize: (request: OptimizeRequest, context: AiContext) => Promise<EngineResult<OptimizationResult>>
}

export interface AiServiceDeps {
  generations: Pick<Database['generations'], 'create' | 'finish'>
  queue: Pick<QueueClient, 'request'>
  clock: Clock
  logger: Pick<Logger, 'warn'>
  /** Per request, for all of its jobs. */
  deadlineMs: number
  /** Off by default: prompts and results are private and are not stored. */
  storePrompts: boolean
  /** The catalogue models that analyze and optimize code. A request cannot choose one. */
  models: { analyze: ModelId; optimize: ModelId }
}

export function createAiService({
  generations,
  queue,
  clock,
  logger,
  deadlineMs,
  storePrompts,
  models
}: AiServiceDeps): AiService {
  /** A record, a job and its outcome. Every request is one row, however it ends. */
  async function run<O extends InferenceOutcome>(
    payload: InferencePayload,
    asked: { text: string; options: object },
    { principal, requestId, signal, startedAt, onText }: AiContext
  ): Promise<O> {
    const { id, kind } = payload
    const restMs = Math.floor(deadlineMs - (performance.now() - startedAt))
    if (restMs <= 0) throw new AppError('DEADLINE_EXCEEDED', `no time is left of ${deadlineMs} ms`)
    // No request is answered without its record, but its job does not wait for the record.
    const wanted = linkSignals(signal)
    const created = generations
      .create({
        id,
        kind,
        tokenId: principal.tokenId,
        startedAt: clock.now(),
        modelAsked: payload.model,
        type: payload.kind === 'generate' ? payload.type : null,
        prompt: storePrompts ? storable(asked.text) : null,
        options: storePrompts ? JSON.stringify(asked.options) : null
      })
      .then(
        () => {
          FAILPOINT: failpoint('ai.recorded')
        },
        (error: unknown) => {
          wanted.abort()
          throw error
        }
      )
    let tokensUsed = 0
    let shownChars = 0
    let hasModel = false
    const onProgress = (progress: InferenceProgress): void => {
      tokensUsed = Math.max(tokensUsed, progress.tokensUsed)
      hasModel ||= progress.engine !== 'sandbox'
      // A retried job writes from the start. Text that the client already has is not sent twice.
      const fresh = progress.text.slice(Math.max(0, shownChars - progress.at))
      shownChars = Math.max(shownChars, progress.at + progress.text.length)
      if (fresh !== '') onText?.(fresh, progress.engine ?? 'model')
    }
    try {
      const options = { deadlineMs: restMs, signal: wanted.signal, onProgress, lane: principal.tokenId }
      const [outcome] = await Promise.all([queue.request(inference, payload, options), created])
      FAILPOINT: failpoint('ai.answered')
      // The queue has validated the outcome. Checking its kind justifies the cast below.
      if (outcome.kind !== kind) throw new AppError('JOB_FAILED', `asked for ${kind}, got ${outcome.kind}`)
      await record(id, requestId, {
        outcome: 'succeeded',
        engine: outcome.engine,
        tokensUsed: outcome.tokensUsed,
        modelUsed: outcome.modelUsed ?? null,
        result: storePrompts ? storable(resultTextOf(outcome)) : null
      })
      return outcome as O
    } catch (error) {
      await created
      await record(id, requestId, { ...endOf(error, signal, hasModel), tokensUsed })
      throw error
    } finally {
      wanted.unlink()
    }
  }

  /** The response matters more than its record. If the database fails now, only a log line is written. */
  async function record(
    id: string,
    requestId: string,
    result: Omit<Parameters<Database['generations']['finish']>[1], 'finishedAt'>
  ): Promise<void> {
    try {
      await generations.finish(id, { ...result, finishedAt: clock.now() })
    } catch (error) {
      logger.warn({ err: error, requestId, generationId: id }, 'outcome of a generation not recorded')
    }
  }

  const jobOf = ({
    requestId,
    principal
  }: AiContext): { v: 1; id: string; requestId: string; tokenId: string } => ({
    v: 1,
    id: createId(),
    requestId,
    tokenId: principal.tokenId
  })

  return {
    async generate({ prompt, type, language, framework, model = defaultModelId }, context) {
      const stream = context.onText !== undefined
      const options = defined({ language, framework })
      const payload: GeneratePayload = {
        ...jobOf(context),
        kind: 'generate',
        model,
        prompt,
        type,
        stream,
        ...options
      }
      const asked = { text: prompt, options }
      const { content, tokensUsed, engine, finish } = await run<GenerateOutcome>(payload, asked, context)
      return {
        body: {
          id: payload.id,
          content,
          type,
          model,
          tokens_used: tokensUsed,
          created_at: clock.now().toISOString()
        },
        engine,
        finish
      }
    },

    async analyze({ code, language, framework, analysis_type: type }, context, { analyzersOnly, path } = {}) {
      const types = type === undefined ? [...analysisTypes] : [type]
      return await run<AnalyzeOutcome>(
        {
          ...jobOf(context),
          kind: 'analyze',
          model: models.analyze,
          code,
          language,
          analysisTypes: types,
          ...defined({ framework, analyzersOnly, path })
        },
        { text: code, options: defined({ language, analysis_type: type, framework }) },
        context
      )
    },

    async optimize({ code, language, framework, optimization_type: optimizationType }, context) {
      return await run<OptimizeOutcome>(
        {
          ...jobOf(context),
          kind: 'optimize',
          model: models.optimize,
          code,
          language,
          ...defined({ framework, optimizationType })
        },
        { text: code, options: defined({ language, optimization_type: optimizationType, framework }) },
        context
      )
    }
  }
}

/** Drops undefined values: an optional property of a contract is either set or absent. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** How a request without a result ended. */
function endOf(
  error: unknown,
  signal: AbortSignal,
  hasModel: boolean
): Pick<EndedGeneration, 'outcome' | 'errorCode' | 'engine'> {
  const errorCode = isAppError(error) ? error.code : 'INTERNAL'
  if (signal.aborted) return { outcome: 'cancelled', errorCode }
  const rejection = isAppError(error) ? error.rejection : undefined
  const isFailed = rejection === undefined || isFailure({ message: rejection.reason, code: rejection.code })
  if (isFailed) return { outcome: 'failed', errorCode }
  return { outcome: 'unchanged', engine: hasModel ? 'model+static' : 'static' }
}

/** PostgreSQL cannot store a string that contains NUL, so the record gets null instead. */
const storable = (text: string): string | null => (text.includes('\0') ? null : text)

function resultTextOf(outcome: InferenceOutcome): string {
  return outcome.kind === 'generate' ? outcome.content : JSON.stringify(outcome.body)
}
