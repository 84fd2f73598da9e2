import type { Fact } from './facts.js'
import type { Expression } from './form.js'
import { spelling } from './form.js'
import { lastPart } from './tables.js'

/** Functions that take an address apart. */
const parsers =
  /(?:^|\.)(?:new:URL|URL\.parse|url\.parse|urlparse|urlsplit|url\.Parse|url\.ParseRequestURI|new:URI|URI\.create)$/
/** Parts of an address that say which machine it leads to. */
const hostParts = /^(?:host|hostname|origin|netloc|authority|Host|Hostname|getHost|getAuthority)$/

/** `new URL(address)` by how the address is spelled. */
export const parsedAddress = (path: string, args: readonly Expression[]): string =>
  args[0] !== undefined && parsers.test(path) ? spelling(args[0]) : ''

/** Names of the addresses that lead where this host is: a check of the host is a check of them. */
export function addressesOf(host: Expression, factOf: (part: Expression) => Fact): string[] {
  const part = host.is === 'call' ? host.callee : host
  if (part.is === 'field' && typeof part.key === 'string') {
    if (hostParts.test(part.key)) return known([spelling(part.of), factOf(part.of).parsedFrom])
    // `url.hostname.toLowerCase()`
    return host.is === 'call' ? addressesOf(part.of, factOf) : []
  }
  if (host.is !== 'name') return []
  const { path, parsedFrom } = factOf(host)
  return hostParts.test(lastPart(path.replace(/\(\)$/, ''))) ? known([parsedFrom]) : []
}

const known = (names: readonly string[]): string[] => names.filter((name) => name !== '')
