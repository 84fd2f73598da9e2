import { createHmac } from 'node:crypto'
import { bytesOfSecret } from './secrets.js'

export interface Message {
  id: string
  /** Of the attempt: receivers refuse old ones. */
  at: Date
  body: string
}

/** The headers of Standard Webhooks, with one signature for each secret. */
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
