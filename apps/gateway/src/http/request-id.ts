import type { IncomingMessage } from 'node:http'
import { createId } from '@filewright/runtime'

/** A token that is safe in a header, a log line and a job payload. */
const SANE = /^[A-Za-z0-9._~-]{1,128}$/

export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && SANE.test(given) ? given : createId()
}
