import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  AnalysisBatchResult,
  AnalysisResult,
  GenerationResult,
  models,
  ModelsResponse,
  OptimizationResult,
  sarifMediaType,
  sentences,
  type AnalyzeRequest,
  type GenerateRequest
} from '@filewright/contracts'
import type { Engine } from '@filewright/queue'
import { isAppError } from '@filewright/runtime'
import { bearerOf } from '../../http/bearer.js'
import { clientSignal } from '../../http/client-signal.js'
import { toPublicError } from '../../http/error-map.js'
import { sendError } from '../../http/errors.plugin.js'
import { acceptJson } from '../../http/json-body.js'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import { createAnswerSeal } from '../idempotency/answer-seal.js'
import { fingerprintOf, idempotencyKeyOf } from '../idempotency/idempotency-key.js'
import type { IdempotencyService } from '../idempotency/idempotency.service.js'
import type { Describe } from '../docs/operation.js'
import { refusal } from './ai-refusals.js'
import {
  parseAnalyzeBatchRequest,
  parseAnalyzeRequest,
  parseGenerateRequest,
  parseOptimizeRequest
} from './ai-requests.js'
import * as operations from './ai.operations.js'
import type { AiContext, AiService, AnalyzeOptions, EngineResult } from './ai.service.js'
import {
  analyzeBatch,
  analyzersOf,
  suppressedHeader,
  type AiResponse,
  type Analyzed
} from './analyze-batch.js'
import { createEventStream } from './event-stream.js'
import { accepts } from '../../http/accepts.js'
import { wantsDetails } from '../files/details.js'
import { detailsOf, sarifOf, sarifOfBatch } from './sarif.js'

export interface AiRoutesOptions {
  ai: AiService
  idempotency: Pick<IdempotencyService, 'once'>
  idleTimeoutMs: number
}

/** Room for 256 KiB of text with every character escaped, and the other fields. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024

const plain = <T>({ body, engine }: EngineResult<T>): AiResponse<T> => ({
  headers: { 'x-engine': engine },
  body
})

/** The specification's AI endpoints. The parent scope authenticates requests. */
export async function aiRoutes(
  app: FastifyInstance,
  { ai, idempotency, idleTimeoutMs }: AiRoutesOptions
): Promise<void> {
  acceptJson(app, { idleTimeoutMs, notUtf8: () => refusal('malformed-body', 'the body is not UTF-8') })

  const contextOf = (request: FastifyRequest, reply: FastifyReply): AiContext => ({
    principal: request.principal,
    requestId: request.id,
    signal: clientSignal(reply),
    startedAt: performance.now()
  })

  /** Every invalid request gets the endpoint's one public message, and the reason in a header. */
  const withSentence = (sentence: string, operation: Describe) => ({
    config: { lane: 'ai' as const, operation },
    bodyLimit: BODY_LIMIT_BYTES,
    errorHandler: (error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply) => {
      if (!isAppError(error, 'INVALID_AI_REQUEST') && error.statusCode !== 400) {
        return sendError(error, request, reply)
      }
      // Fastify's own 400 means invalid JSON.
      const known = isAppError(error) ? error : refusal('malformed-body', 'the body is not valid JSON', error)
      return sendError(known, request, reply, sentence)
    }
  })

  /** With an idempotency key, the request runs once, and repeats get the stored response. */
  async function answerOf<A extends AiResponse<unknown>>(
    request: FastifyRequest,
    body: object,
    run: () => Promise<A>
  ): Promise<A> {
    const key = idempotencyKeyOf(request.headers)
    if (key === undefined) return await run()
    const { tokenId } = request.principal
    const route = `${request.method} ${request.routeOptions.url ?? ''}`
    const seal = createAnswerSeal(bearerOf(request.headers) ?? '', `${route} ${key}`)
    const { answer, replayed } = await idempotency.once(
      { tokenId, key, route, fingerprint: fingerprintOf(body), seal },
      run
    )
    return replayed ? { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } } : answer
  }

  async function generate(body: GenerateRequest, context: AiContext): Promise<AiResponse<GenerationResult>> {
    const { body: result, engine, finish } = await ai.generate(body, context)
    return { headers: { 'x-engine': engine, 'x-finish-reason': finish }, body: result }
  }

  async function analyze(
    body: AnalyzeRequest,
    context: AiContext,
    options?: AnalyzeOptions
  ): Promise<Analyzed> {
    const { rules, suppressed, ...answered } = await ai.analyze(body, context, options)
    const { headers, body: result } = plain(answered)
    return {
      headers: {
        ...headers,
        'x-analyzers': analyzersOf(body.language),
        ...suppressedHeader(suppressed?.length ?? 0)
      },
      body: result,
      ...(suppressed === undefined ? {} : { suppressed }),
      ...(rules === undefined ? {} : { rules })
    }
  }

  /** The stream is another format of the same response. A replay sends only its `result` event. */
  async function streamGeneration(
    body: GenerateRequest,
    request: FastifyRequest,
    reply: FastifyReply
  ): Promise<FastifyReply> {
    const headers = reply.getHeaders() as OutgoingHttpHeaders
    const events = createEventStream(reply.raw, headers, idleTimeoutMs)
    // Headers are sent with the first chunk.
    const onText = (text: string, engine: Engine): void => {
      headers['x-engine'] = engine
      events.text(text)
    }
    try {
      const answer = await answerOf(
        request,
        body,
        async () => await generate(body, { ...contextOf(request, reply), onText })
      )
      Object.assign(headers, answer.headers)
      events.send('result', answer.body)
    } catch (error) {
      // Before the first token, a failure is an ordinary response with its own status.
      if (!events.hasBegun()) throw error
      request.log.warn({ err: error }, 'generation failed in mid-stream')
      events.send('error', { error: toPublicError(error).sentence })
    }
    reply.hijack()
    events.end()
    return reply
  }

  app.post(
    '/ai/generate',
    {
      schema: { response: { 200: GenerationResult } },
      ...withSentence(sentences.invalidGeneration, operations.generate)
    },
    async (request, reply) => {
      const body = parseGenerateRequest(request.body)
      if (accepts(request.headers.accept, 'text/event-stream')) {
        return await streamGeneration(body, request, reply)
      }
      const answer = await answerOf(
        request,
        body,
        async () => await generate(body, contextOf(request, reply))
      )
      return reply.headers(answer.headers).send(answer.body)
    }
  )

  app.post(
    '/ai/analyze',
    {
      schema: { response: { 200: AnalysisResult } },
      ...withSentence(sentences.invalidAnalysis, operations.analyze)
    },
    async (request, reply) => {
      const body = parseAnalyzeRequest(request.body)
      const answer: Analyzed = await answerOf(
        request,
        body,
        async () => await analyze(body, contextOf(request, reply))
      )
      reply.headers(answer.headers).header('vary', 'accept')
      if (wantsDetails(request, reply)) return reply.send(JSON.stringify(detailsOf(answer)))
      if (!accepts(request.headers.accept, sarifMediaType)) return reply.send(answer.body)
      return reply.type(`${sarifMediaType}; charset=utf-8`).send(JSON.stringify(sarifOf(body, answer)))
    }
  )

  app.post(
    '/ai/analyze/batch',
    {
      schema: { response: { 200: AnalysisBatchResult } },
      ...withSentence(sentences.invalidAnalysis, operations.analyzeBatch)
    },
    async (request, reply) => {
      const body = parseAnalyzeBatchRequest(request.body)
      const answer = await answerOf(request, body, async () => {
        const context = contextOf(request, reply)
        return await analyzeBatch(
          body,
          async (file, path) => await analyze(file, context, { analyzersOnly: true, path })
        )
      })
      reply.headers(answer.headers).header('vary', 'accept')
      if (accepts(request.headers.accept, sarifMediaType)) {
        return reply
          .type(`${sarifMediaType}; charset=utf-8`)
          .send(JSON.stringify(sarifOfBatch(body, answer.body)))
      }
      const files = body.files.map(({ path }, index) => ({ path, ...answer.body[index]?.body }))
      return reply.send({ files })
    }
  )

  app.post(
    '/ai/optimize',
    {
      schema: { response: { 200: OptimizationResult } },
      ...withSentence(sentences.unableToOptimize, operations.optimize)
    },
    async (request, reply) => {
      const body = parseOptimizeRequest(request.body)
      const answer = await answerOf(request, body, async () =>
        plain(await ai.optimize(body, contextOf(request, reply)))
      )
      return reply.headers(answer.headers).send(answer.body)
    }
  )

  app.get(
    '/ai/models',
    { config: { operation: operations.listModels }, schema: { response: { 200: ModelsResponse } } },
    async () => ({ models })
  )

  for (const path of ['generate', 'analyze', 'analyze/batch', 'optimize']) {
    refuseOtherMethods(app, `/ai/${path}`, ['POST'])
  }
  refuseOtherMethods(app, '/ai/models', ['GET', 'HEAD'])
}
