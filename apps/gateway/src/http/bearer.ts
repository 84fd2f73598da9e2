import type { IncomingHttpHeaders } from 'node:http'

/** One scheme and one token of visible ASCII characters. */
const BEARER = /^bearer +([\x21-\x7e]{1,512})$/i

/** The bearer token of a request, if it has one. */
export function bearerOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return BEARER.exec(authorization)?.[1]
}
