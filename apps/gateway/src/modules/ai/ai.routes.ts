import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  AnalysisResult, GenerationResult, models, ModelsResponse, OptimizationResult, sentences,
  type GenerateRequest
} from '@filewright/contracts'
import { isAppError } from '@filewright/runtime'
import { clientSignal } from '../../http/client-signal.js'
import { toPublicError } from '../../http/error-map.js'
import { sendError } from '../../http/errors.plugin.js'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import { parseAnalyzeRequest, parseGenerateRequest, parseOptimizeRequest } from './ai-requests.js'
import type { AiContext, AiService } from './ai.service.js'
import { createEventStream } from './event-stream.js'

export interface AiRoutesOptions {
  ai: AiService
  idleTimeoutMs: number
}

/** Room for 256 KiB of text with every character escaped, and the other fields. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024

/** The specification's AI endpoints. The scope it is registered in authenticates. */
export async function aiRoutes (app: FastifyInstance, { ai, idleTimeoutMs }: AiRoutesOptions): Promise<void> {
  // The token is known to be good by now: a client that asked may send its body.
  app.addHook('preParsing', async (request, reply) => {
    if (request.headers.expect !== undefined) reply.raw.writeContinue()
  })

  const contextOf = (request: FastifyRequest, reply: FastifyReply): AiContext => ({
    principal: request.principal, requestId: request.id, signal: clientSignal(reply)
  })

  /** A request that is wrong in whatever way gets the one sentence of its endpoint. */
  const withSentence = (sentence: string) => ({
    bodyLimit: BODY_LIMIT_BYTES,
    errorHandler: (error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply) => {
      if (!isAppError(error, 'INVALID_AI_REQUEST') && error.statusCode !== 400) return sendError(error, request, reply)
      request.log.debug({ err: error }, 'request refused')
      return reply.code(400).send({ error: sentence })
    }
  })

  async function streamGeneration (body: GenerateRequest, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const events = createEventStream(reply.raw, { 'x-request-id': request.id, 'x-content-type-options': 'nosniff', 'x-engine': 'model' }, idleTimeoutMs)
    try {
      const { body: result } = await ai.generate(body, { ...contextOf(request, reply), onText: events.text })
      events.send('result', result)
    } catch (error) {
      // Before the first token the failure is an ordinary answer with its own status.
      if (!events.hasBegun()) throw error
      request.log.warn({ err: error }, 'generation failed in mid-stream')
      events.send('error', { error: toPublicError(error).sentence })
    }
    reply.hijack()
    events.end()
    return reply
  }

  app.post('/ai/generate', { schema: { response: { 200: GenerationResult } }, ...withSentence(sentences.invalidGeneration) }, async (request, reply) => {
    const body = parseGenerateRequest(request.body)
    if (request.headers.accept?.includes('text/event-stream') === true) return await streamGeneration(body, request, reply)
    const { body: result, engine, finish } = await ai.generate(body, contextOf(request, reply))
    return reply.header('x-engine', engine).header('x-finish-reason', finish).send(result)
  })

  app.post('/ai/analyze', { schema: { response: { 200: AnalysisResult } }, ...withSentence(sentences.invalidAnalysis) }, async (request, reply) => {
    const { body, engine } = await ai.analyze(parseAnalyzeRequest(request.body), contextOf(request, reply))
    return reply.header('x-engine', engine).send(body)
  })

  app.post('/ai/optimize', { schema: { response: { 200: OptimizationResult } }, ...withSentence(sentences.unableToOptimize) }, async (request, reply) => {
    const { body, engine } = await ai.optimize(parseOptimizeRequest(request.body), contextOf(request, reply))
    return reply.header('x-engine', engine).send(body)
  })

  app.get('/ai/models', { schema: { response: { 200: ModelsResponse } } }, async () => ({ models }))

  for (const path of ['generate', 'analyze', 'optimize']) refuseOtherMethods(app, `/ai/${path}`, ['POST'])
  refuseOtherMethods(app, '/ai/models', ['GET', 'HEAD'])
}
