import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** In the format of Standard Webhooks: a prefix and base64. */
export function createSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

function bytesOfSecret(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64')
}

export interface Message {
  id: string
  /** The time of the attempt: receivers refuse old ones. */
  at: Date
  body: string
}

/** The headers of Standard Webhooks, with one signature per secret. */
export function signedHeaders({ id, at, body }: Message, secrets: string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', bytesOfSecret(secret)).update(`${id}.${timestamp}.${body}`)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' ')
  }
}
