import { createHash, timingSafeEqual } from 'node:crypto'

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i

/** Whether an `Authorization` header has this user and password. Compares in constant time. */
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
