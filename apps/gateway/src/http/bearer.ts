import type { IncomingHttpHeaders } from 'node:http'

/** One scheme, one token of visible ASCII. */
const BEARER = /^bearer +([\x21-\x7e]{1,512})$/i

/** The token of a request, if it names one. */
export function bearerOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return BEARER.exec(authorization)?.[1]
}
