import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { Type } from '@filewright/schema'

/** `name`, `1.2.3.4` or `[::1]`, with an optional port. No list, user or path. */
const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i

/** The name in a `Host` header, normalized: without the port, in lower case, without the trailing dot. */
function nameOf(header: string): string | null {
  const [, address, name] = HOST.exec(header) ?? []
  return (address ?? name)?.toLowerCase().replace(/\.$/, '') ?? null
}

/** Node shows the first of several `Host` headers, and a proxy in front may have read the last. */
export function countHostHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

export type KnownHosts = (host: string | undefined) => boolean

export interface KnownHostsOptions {
  /** Additional names, separated by commas; `*` matches any. */
  names: string
  /** The address that the server listens on, which may be a name. */
  listensOn: string
}

/**
 * Whether an operators' server answers to this `Host`. A page whose name resolves to this machine (DNS
 * rebinding) sends that name. Literal addresses and `localhost` cannot be such a name, so they are always
 * known. An HTTP/1.0 request may have no Host; no browser sends one.
 */
export function createKnownHosts({ names, listensOn }: KnownHostsOptions): KnownHosts {
  const listed = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (listed.includes('*')) return () => true
  const known = new Set(['localhost', listensOn, ...listed].map((name) => nameOf(name) ?? name))
  return (host) => {
    if (host === undefined) return true
    const name = nameOf(host)
    return name !== null && (isIP(name) !== 0 || known.has(name))
  }
}

/** One setting under two names: the gateway's port and the workers' are configured separately. */
export const knownHostsSetting = (port: string) =>
  Type.String({
    default: '',
    pattern: '^[A-Za-z0-9._:\\[\\]*, -]*$',
    description:
      `Host names that ${port} accepts, in addition to localhost, literal addresses and the address it ` +
      'listens on; separated by commas, * is any'
  })
