import type { IncomingMessage } from 'node:http'
import { countHostHeaders } from '@filewright/runtime'

/** A host name or address, with an optional port (RFC 9112, 3.2). No list, whitespace, user or path. */
const HOST = /^(?:\[[0-9A-Za-z:.%]+\]|[^\s,/\\?#@[\]:]*)(?::\d*)?$/

type RequestHead = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>

/**
 * The problem with the `Host` of a request, or null. With two hosts, a proxy and the gateway may each pick a
 * different one, so a request must have exactly one. HTTP/1.0 requests need none.
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
