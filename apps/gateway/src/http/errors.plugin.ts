import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { sentences } from '@filewright/contracts'
import { AppError, closedHeaders, createId, isAppError } from '@filewright/runtime'
import { toPublicError, type PublicError } from './error-map.js'

/** @param own the endpoint's sentence, where it has one for every refusal */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  own?: string
): FastifyReply {
  const { status, sentence, headers } = toPublicError(error)
  const rejection = isAppError(error) ? error.rejection : undefined
  if (status >= 500) request.log.error({ err: error }, 'request failed')
  else if (rejection !== undefined) request.log.info({ rejection }, 'request refused')
  else request.log.debug({ err: error }, 'request refused')
  return send(reply, { status, sentence: own ?? sentence, ...(headers === undefined ? {} : { headers }) })
}

const overloaded = toPublicError(new AppError('OVERLOADED', 'the gateway is overloaded'))

/** Not logged: the line would cost more than the refusal. The load shedder logs when it begins and ends. */
export function refuseOverload(reply: FastifyReply): void {
  send(reply, overloaded)
}

function send(reply: FastifyReply, { status, sentence, headers }: PublicError): FastifyReply {
  // Fastify closes the connection on a body it will not read, and a client that is still sending gets a reset
  // instead of the response. With the connection open, Node discards the rest of the body within the request
  // timeout.
  reply.removeHeader('connection')
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...headers })
    .type('application/json; charset=utf-8')
    .send({ error: sentence })
}

/** Every failure ends as `{ error }` with one key, whatever raised it. */
export const errorsPlugin = fp(
  async function errors(app: FastifyInstance) {
    app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply))
    app.setNotFoundHandler((request, reply) => reply.code(404).send({ error: sentences.routeNotFound }))
  },
  { name: 'errors' }
)

/**
 * Responds to input that never became a request: broken HTTP, oversized headers, or a client too slow to send
 * its headers.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  // In the middle of a response, anything written here would become part of its body.
  const underWay = (socket as { _httpMessage?: ServerResponse })._httpMessage
  if (error.code === 'ECONNRESET' || !socket.writable || underWay?.headersSent === true) {
    socket.destroy()
    return
  }
  const [status, sentence] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', sentences.badRequest]
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', sentences.requestTimeout]
        : ['400 Bad Request', sentences.badRequest]
  endWith(socket, status, sentence)
}

/** The gateway is not a proxy. Without this handler, Node would close the connection without a response. */
export function refuseTunnel(socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  endWith(socket, '405 Method Not Allowed', sentences.methodNotAllowed)
}

function endWith(socket: Duplex, status: string, sentence: string): void {
  const body = JSON.stringify({ error: sentence })
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      ...Object.entries(closedHeaders).map(([name, value]) => `${name}: ${value}`),
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${createId()}`,
      'Connection: close',
      '',
      body
    ].join('\r\n')
  )
}
