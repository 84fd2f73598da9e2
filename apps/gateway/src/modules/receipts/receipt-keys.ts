import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'

export interface ReceiptSigner {
  /** The SHA-256 thumbprint of the public key (RFC 7638). Two keys cannot have the same id. */
  kid: string
  /** Encoded as Base64url. */
  publicKey: string
  sign: (bytes: Uint8Array) => Buffer
}

/** In PKCS #8, an Ed25519 private key is this prefix and its 32 bytes (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

function signerOf(seed: string): ReceiptSigner {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, Buffer.from(seed, 'base64')]),
    format: 'der',
    type: 'pkcs8'
  })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const thumbprint = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x })
  return {
    kid: createHash('sha256').update(thumbprint).digest('base64url'),
    publicKey: x,
    sign: (bytes) => sign(null, bytes, key)
  }
}

/** @param setting RECEIPT_KEY, already validated; the first key signs */
export function receiptSigners(setting: string | undefined): ReceiptSigner[] {
  return setting === undefined ? [] : setting.split(',').map((seed) => signerOf(seed.trim()))
}
