import type { IncomingMessage } from 'node:http'
import { countHostHeaders } from '@filewright/runtime'

/** A name or an address, with or without a port (RFC 9112, 3.2). No list, no blank, no user, no path. */
const HOST = /^(?:\[[0-9A-Za-z:.%]+\]|[^\s,/\\?#@[\]:]*)(?::\d*)?$/

type RequestHead = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>

/**
 * What is wrong with the `Host` of a request, or null. Two readers of two hosts may each take another one, so
 * a request is refused unless it names one host. Requests of HTTP/1.0 need not name any.
 */
export function hostProblem(request: RequestHead): string | null {
  const {
    headers: { host },
    httpVersion
  } = request
  if (host === undefined) return httpVersion === '1.1' ? 'no Host header' : null
  if (countHostHeaders(request) > 1) return 'more than one Host header'
  return HOST.test(host) ? null : 'no host in the Host header'
}
