import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { AddressPolicy } from './address-policy.js'
import { NOT_PUBLIC, RefusedUrlError } from './endpoint-url.js'

/** Returns the addresses of a name. */
export type Resolve = (name: string) => Promise<string[]>

/**
 * Queries the name servers directly. Lookups by the operating system share four threads, so four names with
 * slow servers would delay all other deliveries.
 */
export function createResolve({ timeoutMs = 2_000, tries = 2 } = {}): Resolve {
  const resolver = new Resolver({ timeout: timeoutMs, tries })
  return async (name) => {
    // RFC 6761
    if (/(?:^|\.)localhost\.?$/i.test(name)) return ['127.0.0.1', '::1']
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length === 0) throw new Error('the name has no address')
    return addresses
  }
}

/** Resolves the host once. A single address that is not allowed refuses all of them. */
export async function resolveAllowed(
  host: string,
  policy: AddressPolicy,
  resolve: Resolve
): Promise<string[]> {
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
  if (addresses.length === 0 || !addresses.every((address) => policy.isAllowed(address))) {
    throw new RefusedUrlError(NOT_PUBLIC)
  }
  return addresses
}
