import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts stored responses with the client's own token, of which the database has only a hash. */
export interface AnswerSeal {
  close: (answer: string) => string
  /** Output of `close`, or a response from before encryption, which is plain. */
  open: (stored: string) => string
}

const MARK = 'sealed:'
const SALT_BYTES = 16
const TAG_BYTES = 16
/** Each response has its own key, so the only message under that key can use a fixed nonce. */
const NONCE = Buffer.alloc(12)

/** @param context the request that the response belongs to: it cannot be decrypted with another context */
export function createAnswerSeal(token: string, context: string): AnswerSeal {
  const keyOf = (salt: Buffer): Buffer =>
    Buffer.from(hkdfSync('sha256', token, salt, `filewright answer ${context}`, 32))
  return {
    close: (answer) => {
      const salt = randomBytes(SALT_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyOf(salt), NONCE)
      const sealed = Buffer.concat([cipher.update(answer, 'utf8'), cipher.final()])
      return MARK + Buffer.concat([salt, cipher.getAuthTag(), sealed]).toString('base64')
    },
    open: (stored) => {
      if (!stored.startsWith(MARK)) return stored
      const bytes = Buffer.from(stored.slice(MARK.length), 'base64')
      const decipher = createDecipheriv('aes-256-gcm', keyOf(bytes.subarray(0, SALT_BYTES)), NONCE)
      decipher.setAuthTag(bytes.subarray(SALT_BYTES, SALT_BYTES + TAG_BYTES))
      return Buffer.concat([
        decipher.update(bytes.subarray(SALT_BYTES + TAG_BYTES)),
        decipher.final()
      ]).toString('utf8')
    }
  }
}
