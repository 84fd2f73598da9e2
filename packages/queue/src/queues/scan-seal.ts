import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ScanFilePayload, ScanFileResult } from './scan-file.js'

type Asked = Pick<ScanFilePayload, 'round'>

/**
 * Every field of the result, including unknown ones of a newer worker, in an order that does not depend on
 * storage. The round makes a signature valid for one scan of a file: a verdict from before new signatures
 * cannot be replayed. At its upload a file has no round, but an id that was never used.
 */
function sealedText({ round }: Asked, { seal: _seal, ...result }: ScanFileResult): string {
  const fields = Object.entries(result).filter(([, value]) => value !== undefined)
  fields.sort(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify(['scan verdict', round ?? null, fields])
}

const hmacOf = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Proves that the verdict comes from someone who knows the key, which is not in Redis. */
export function sealVerdict(key: Buffer, asked: Asked, result: ScanFileResult): ScanFileResult {
  return { ...result, seal: hmacOf(key, sealedText(asked, result)).toString('hex') }
}

/** @param asked as the gateway knows it, and not as it came back from Redis */
export function isSealed(key: Buffer, asked: Asked, result: ScanFileResult): boolean {
  const given = Buffer.from(result.seal ?? '', 'hex')
  const expected = hmacOf(key, sealedText(asked, result))
  return given.length === expected.length && timingSafeEqual(given, expected)
}
