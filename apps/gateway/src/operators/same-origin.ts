import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a request that changes something was meant by the operator. A browser adds the password to
 * requests that pages of other sites make, but it also says where they come from. A program that says nothing
 * of the kind sends `X-Requested-With`: a browser sends that to another site only if the site allows it, and
 * this one does not.
 */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const { host, origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') return false
  if (origin !== undefined) return host !== undefined && hostOf(origin) === host.toLowerCase()
  return site === 'same-origin' || headers['x-requested-with'] !== undefined
}

/** With the port, as in `Host`. Either scheme: a proxy with TLS may stand in front. */
function hostOf(origin: string): string | undefined {
  return /^https?:\/\/([^/?#@\\\s]+)$/i.exec(origin)?.[1]?.toLowerCase()
}
