import { createHash, randomBytes, randomFillSync } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Base62 of the bytes, whose number is a multiple of four, zero-padded so that ids of one kind have the same
 * length.
 */
function base62(bytes: Buffer): string {
  // Long division without BigInt, which takes ten times as long; every request creates an id or two.
  const limbs: number[] = []
  for (let at = 0; at < bytes.length; at += 4) limbs.push(bytes.readUInt32BE(at))
  const length = Math.ceil((bytes.length * 8) / Math.log2(62))
  let text = ''
  for (let i = 0; i < length; i++) {
    let rest = 0
    for (let k = 0; k < limbs.length; k++) {
      const value = rest * 4_294_967_296 + (limbs[k] ?? 0)
      const quotient = Math.floor(value / 62)
      limbs[k] = quotient
      rest = value - quotient * 62
    }
    text = ALPHABET.charAt(rest) + text
  }
  return text
}

/** Random bytes are generated for many ids at once. */
const pool = Buffer.alloc(4_096)
let used = pool.length

function random(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}

/** 128 random bits: an id that cannot be guessed, which makes a CDN address a capability. */
export function createId(): string {
  return base62(random(16))
}

/** `fw_` and 256 random bits. */
export function createToken(): string {
  return `fw_${base62(randomBytes(32))}`
}

/** Name of the token that `npm start` creates and prints. Operators cannot give it to another token. */
export const LOCAL_TOKEN_NAME = 'local'

/**
 * Only the hash of a token is stored; 256 random bits need no salt. It also makes the lookup safe against
 * timing attacks: the index reveals at most how much of a guess's hash matched, and no guess can be made to
 * match an unknown hash.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

const ID_PATTERN = /^[0-9A-Za-z]{22}$/

/** Cheap check before a lookup: nothing else can be one of our ids. */
export function isId(text: string): boolean {
  return ID_PATTERN.test(text)
}
