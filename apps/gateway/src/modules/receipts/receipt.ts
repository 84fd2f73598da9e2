import {
  receiptPayloadType,
  receiptPredicateType,
  statementType,
  type ReceiptResponse,
  type ReceiptStatement
} from '@filewright/contracts'
import type { ReadyFileRecord } from '@filewright/db'
import type { ReceiptSigner } from './receipt-keys.js'

/** "ClamAV 1.4.6/27500 (1f0a93bc)": engine, official signatures, and a fingerprint of the signature folder. */
const ENGINE = /^(.*?)(?:\/(\d+))?(?: \(([0-9a-f]+)\))?$/

export interface ScanFacts {
  file: Pick<ReadyFileRecord, 'id' | 'sha256' | 'sizeBytes' | 'engine' | 'scannedAt'>
  /** When the official signatures were published. */
  signaturesAt: Date | null
  installation: string
}

/** The same facts always give the same text: it does not depend on the time of the request. */
export function statementOf({ file, signaturesAt, installation }: ScanFacts): ReceiptStatement {
  const [, engine = '', version = null, local = null] = ENGINE.exec(file.engine ?? '') ?? []
  return {
    _type: statementType,
    subject: [{ name: file.id, digest: { sha256: file.sha256 } }],
    predicateType: receiptPredicateType,
    predicate: {
      verdict: 'clean',
      size: file.sizeBytes,
      scanned_at: file.scannedAt.toISOString(),
      engine,
      signatures: { version, date: signaturesAt?.toISOString() ?? null, local },
      installation
    }
  }
}

/**
 * DSSE's pre-authentication encoding. The signed bytes include the length of each part, so bytes cannot move
 * from one part to another.
 */
export function preAuthEncoding(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `), body])
}

export function signStatement(statement: ReceiptStatement, signer: ReceiptSigner): ReceiptResponse {
  const body = Buffer.from(JSON.stringify(statement))
  const signature = signer.sign(preAuthEncoding(receiptPayloadType, body))
  return {
    payloadType: receiptPayloadType,
    payload: body.toString('base64'),
    signatures: [{ keyid: signer.kid, sig: signature.toString('base64') }]
  }
}
