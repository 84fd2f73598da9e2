import { createHash, timingSafeEqual } from 'node:crypto'

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i

/**
 * Whether an `Authorization` header carries this user and password. The time it takes tells nothing about how
 * much of it was right.
 */
export function createBasicAuth(user: string, password: string): (header: string | undefined) => boolean {
  const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
  const expected = digestOf(`${user}:${password}`)
  return (header) => {
    const given = BASIC.exec(header ?? '')?.[1]
    return (
      given !== undefined &&
      timingSafeEqual(digestOf(Buffer.from(given, 'base64').toString('utf8')), expected)
    )
  }
}
