import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether the operator intended a request that changes something. A browser adds the password to requests
 * from other sites, but also sends their origin. A program without an origin sends `X-Requested-With`: a
 * browser sends that header to another site only if the site allows it, and this one does not.
 */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const { host, origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') return false
  if (origin !== undefined) return host !== undefined && hostOf(origin) === host.toLowerCase()
  return site === 'same-origin' || headers['x-requested-with'] !== undefined
}

/** Includes the port, as in `Host`. Either scheme is accepted, because a TLS proxy may be in front. */
function hostOf(origin: string): string | undefined {
  return /^https?:\/\/([^/?#@\\\s]+)$/i.exec(origin)?.[1]?.toLowerCase()
}
