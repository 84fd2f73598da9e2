import type { FastifyReply, FastifyRequest } from 'fastify'
import { detailedMediaType } from '@filewright/contracts'
import { accepts } from '../../http/accepts.js'

/** Whether the client asks for more than the specified properties. Sets the response's media type if so. */
export function wantsDetails(request: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('vary', 'accept')
  if (!accepts(request.headers.accept, detailedMediaType)) return false
  reply.type(`${detailedMediaType}; charset=utf-8`)
  return true
}

/** The response schemas of a route with both forms. */
export const eitherForm = (plain: object, detailed: object) => ({
  200: { content: { 'application/json': { schema: plain }, [detailedMediaType]: { schema: detailed } } }
})
