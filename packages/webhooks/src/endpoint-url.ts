import { isIP } from 'node:net'
import type { AddressPolicy } from './address-policy.js'

/** Why a URL cannot be an endpoint, as the end of a sentence: "url must start with https://". */
export class RefusedUrlError extends Error {
  override name = 'RefusedUrlError'
}

const MAX_URL_CHARS = 2_048
const MAX_NAME_CHARS = 253
/** Lower ports belong to services of the operating system. */
const FIRST_FREE_PORT = 1_024

/** Parses and checks the URL. The addresses of its host are checked when they are resolved. */
export function parseEndpointUrl(text: string, policy: AddressPolicy): URL {
  if (text.length > MAX_URL_CHARS) throw new RefusedUrlError(`must have at most ${MAX_URL_CHARS} characters`)
  // The parser removes tabs and line breaks and converts backslashes to slashes. Other programs may interpret
  // such a URL differently.
  if (/[\s\\]|[^\x21-\x7e]/.test(text)) {
    throw new RefusedUrlError('must be plain ASCII without spaces and backslashes')
  }
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new RefusedUrlError('must be an absolute URL')
  }
  if (url.protocol !== 'https:' && !(policy.allowsHttp && url.protocol === 'http:')) {
    throw new RefusedUrlError(`must start with https://${policy.allowsHttp ? ' or http://' : ''}`)
  }
  if (url.username !== '' || url.password !== '' || text.split('/')[2]?.includes('@') === true) {
    throw new RefusedUrlError('must not contain a user name or password')
  }
  if (url.hash !== '') throw new RefusedUrlError('must not contain a fragment')
  const port = url.port === '' ? 443 : Number(url.port)
  if (port !== 443 && port !== 80 && port < FIRST_FREE_PORT) {
    throw new RefusedUrlError(`must have the port 443, 80 or one from ${FIRST_FREE_PORT}`)
  }
  const host = hostOf(url)
  if (isIP(host) !== 0) {
    if (!policy.isAllowed(host)) throw new RefusedUrlError(NOT_PUBLIC)
  } else if (!isName(host)) throw new RefusedUrlError('must name a host')
  return url
}

export const NOT_PUBLIC = 'must lead to a public address'

/** The host without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

function isName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return (
    name.length <= MAX_NAME_CHARS &&
    name.split('.').every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i.test(label))
  )
}
