import { randomBytes } from 'node:crypto'
import { AppError } from '@filewright/runtime'
import type { StoreNote, StoreSecret } from './blob-store.js'

/** Names of the store's notes. No key looks like one, and both are longer than the name of a folder. */
export const MARKER = '.filewright-store'
export const SECRET = '.filewright-secret'

const SECRET_BYTES = 32
const HEX = /^[0-9a-f]{64}\n$/

/**
 * Stored as hexadecimal text. A corrupt one is an error and is not replaced: an operator should know about
 * it.
 */
export function createStoreSecret(note: StoreNote): StoreSecret {
  const read: StoreSecret['read'] = async (options) => {
    const text = await note.read(options)
    if (text === null) return null
    if (HEX.test(text)) return Buffer.from(text.trim(), 'hex')
    throw new AppError('STORAGE_UNAVAILABLE', `${SECRET} is damaged: remove it, and a new one is made`)
  }
  const textOf = (secret: Buffer): string => `${secret.toString('hex')}\n`
  return {
    read,
    replace: async (secret, options) => await note.replace(textOf(secret), options),
    ensure: async (options) => {
      const found = await read(options)
      if (found !== null) return found
      // Whether this call or another wins, the store's content afterwards is the secret.
      await note.create(textOf(randomBytes(SECRET_BYTES)), options)
      const made = await read(options)
      if (made !== null) return made
      throw new AppError('STORAGE_UNAVAILABLE', 'the blob store keeps no secret', { retryable: true })
    }
  }
}
