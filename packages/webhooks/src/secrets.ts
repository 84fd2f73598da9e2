import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { AppError } from '@filewright/runtime'

const IV_BYTES = 12
const TAG_BYTES = 16
const MIN_KEY_CHARS = 16

export interface SecretBox {
  /** @param endpointId authenticated with the secret, so that the row of another endpoint cannot use it */
  seal: (secret: string, endpointId: string) => string
  /** Throws WEBHOOK_KEY_MISMATCH if none of the keys decrypts it. */
  open: (sealed: string, endpointId: string) => string
}

/**
 * Encrypts the secrets of endpoints for the database (AES-256-GCM).
 * @param keys separated by commas: the first encrypts, every one decrypts, so that the key can be changed
 */
export function createSecretBox(keys: string): SecretBox {
  const parsed = keys.split(',').map((text) => keyOf(text.trim()))
  const [current] = parsed
  if (current === undefined) throw new AppError('CONFIG_INVALID', 'WEBHOOK_KEY is empty')

  return {
    seal: (secret, endpointId) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current, iv).setAAD(Buffer.from(endpointId))
      const bytes = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), bytes]).toString('base64')
    },
    open: (sealed, endpointId) => {
      for (const key of parsed) {
        const secret = decrypt(key, Buffer.from(sealed, 'base64'), endpointId)
        if (secret !== null) return secret
      }
      throw new AppError('WEBHOOK_KEY_MISMATCH', 'no key of WEBHOOK_KEY decrypts the secret of the endpoint')
    }
  }
}

function keyOf(text: string): Buffer {
  if (text.length < MIN_KEY_CHARS) {
    throw new AppError('CONFIG_INVALID', `WEBHOOK_KEY must have at least ${MIN_KEY_CHARS} characters`)
  }
  return createHash('sha256').update(`filewright webhook secrets\n${text}`).digest()
}

function decrypt(key: Buffer, bytes: Buffer, endpointId: string): string | null {
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(endpointId))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([cipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), cipher.final()]).toString(
      'utf8'
    )
  } catch {
    return null
  }
}
