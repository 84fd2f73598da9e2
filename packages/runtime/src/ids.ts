import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Base62 of the bytes, zero-padded to a fixed length, so that ids of one kind are all equally long. */
function base62 (bytes: Buffer): string {
  const length = Math.ceil(bytes.length * 8 / Math.log2(62))
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (let i = 0; i < length; i++) {
    text = ALPHABET.charAt(Number(rest % 62n)) + text
    rest /= 62n
  }
  return text
}

/** 128 random bits: an id that cannot be guessed, which is what makes a CDN address a capability. */
export function createId (): string {
  return base62(randomBytes(16))
}

/** `fw_` and 256 random bits. */
export function createToken (): string {
  return `fw_${base62(randomBytes(32))}`
}

const ID_PATTERN = /^[0-9A-Za-z]{22}$/

/** Cheap guard before a lookup: nothing else can be an id of ours. */
export function isId (text: string): boolean {
  return ID_PATTERN.test(text)
}
