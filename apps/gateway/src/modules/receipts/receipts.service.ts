import type { ReceiptKeysResponse, ReceiptResponse } from '@filewright/contracts'
import type { Database, Issuer } from '@filewright/db'
import { AppError } from '@filewright/runtime'
import type { FilesService } from '../files/files.service.js'
import type { Principal } from '../tokens/principal.js'
import { signStatement, statementOf } from './receipt.js'
import type { ReceiptSigner } from './receipt-keys.js'

export interface ReceiptsService {
  /** Issues a receipt of the newest verdict on a file that the token can read. */
  issue: (principal: Principal, id: string) => Promise<ReceiptResponse>
  /** Every key that ever signed a receipt of this installation. */
  keys: () => Promise<ReceiptKeysResponse>
}

export interface ReceiptsServiceDeps {
  files: Pick<FilesService, 'get'>
  receipts: Pick<Database['receipts'], 'issuer' | 'publishKeys' | 'findSignatureDate'>
  /** The first one signs; the others are only published. Without any, there are no receipts. */
  signers: readonly ReceiptSigner[]
}

export function createReceiptsService({ files, receipts, signers }: ReceiptsServiceDeps): ReceiptsService {
  /** Stores the keys before the first receipt is sent, so that every gateway publishes them from then on. */
  async function findIssuer(): Promise<Issuer & { installation: string }> {
    let issuer = await receipts.issuer()
    const known = new Set(issuer.keys.map(({ kid }) => kid))
    if (signers.some(({ kid }) => !known.has(kid))) {
      await receipts.publishKeys(signers)
      issuer = await receipts.issuer()
    }
    const { installation, keys } = issuer
    if (installation === null) {
      throw new AppError('DATABASE_UNAVAILABLE', 'the installation has no id yet', { retryable: true })
    }
    return { installation, keys }
  }

  return {
    async issue(principal, id) {
      if (signers.length === 0) throw new AppError('RECEIPTS_OFF', 'RECEIPT_KEY is not set')
      const file = await files.get(principal, id)
      const { installation, keys } = await findIssuer()
      const revoked = new Set(keys.filter(({ revokedAt }) => revokedAt !== null).map(({ kid }) => kid))
      const signer = signers.find(({ kid }) => !revoked.has(kid))
      if (signer === undefined) throw new AppError('RECEIPTS_OFF', 'every key of RECEIPT_KEY is revoked')
      const signaturesAt = await receipts.findSignatureDate(file.engine ?? '')
      return signStatement(statementOf({ file, signaturesAt, installation }), signer)
    },

    async keys() {
      const { installation, keys } = await findIssuer()
      return {
        installation,
        keys: keys.map(({ kid, publicKey, createdAt, revokedAt }) => ({
          kty: 'OKP',
          crv: 'Ed25519',
          alg: 'EdDSA',
          use: 'sig',
          kid,
          x: publicKey,
          valid_from: createdAt.toISOString(),
          revoked_at: revokedAt?.toISOString() ?? null
        }))
      }
    }
  }
}
