import { Type, type Static } from '@filewright/schema'
import { defineQueue } from '../define-queue.js'

const ScanFilePayload = Type.Object({
  v: Type.Literal(1),
  fileId: Type.String({ minLength: 1 }),
  blobKey: Type.String({ minLength: 1 }),
  sizeBytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  requestId: Type.String(),
  /** The token that uploaded it; absent for the service's own scans. */
  tokenId: Type.Optional(Type.String()),
  /** Distinguishes a later scan of a stored file from the one at its upload, whose result may still exist. */
  round: Type.Optional(Type.String({ pattern: '^[0-9A-Za-z]{1,32}$' }))
})
export type ScanFilePayload = Static<typeof ScanFilePayload>

const ScanFileResult = Type.Object({
  verdict: Type.Union([Type.Literal('clean'), Type.Literal('infected'), Type.Literal('unscannable')]),
  signature: Type.Optional(Type.String()),
  /** Why the file could not be scanned: a fragment of a sentence in plain ASCII, shown to clients. */
  reason: Type.Optional(Type.String()),
  engine: Type.String(),
  /** When the engine's official signatures were published, ISO 8601; absent without them. */
  signaturesAt: Type.Optional(Type.String()),
  /** The scanned file: the gateway publishes a file only if it is this one. */
  fileId: Type.String(),
  sizeBytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Total size unpacked from archives in this file, whatever the verdict. */
  unpackedBytes: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Duration of the scan, without its waiting time. */
  scanMs: Type.Optional(Type.Integer({ minimum: 0 })),
  /** HMAC of all other fields, see `sealVerdict`. Absent when the store has no secret yet. */
  seal: Type.Optional(Type.String())
})
export type ScanFileResult = Static<typeof ScanFileResult>

/** Decides whether a file is safe. The job carries ids and the expected hash, never bytes. */
export const scanFile = defineQueue<ScanFilePayload, ScanFileResult>({
  name: 'scan',
  payload: ScanFilePayload,
  result: ScanFileResult,
  // Results are a few dozen bytes, so more of them may be kept for polling.
  jobOptions: {
    attempts: 5,
    backoff: { type: 'exponential', delay: 500 },
    keepFinished: { age: 60, count: 5_000 }
  },
  // One scan per file and round: adding it twice is the same job.
  jobId: ({ fileId, round }) => (round === undefined ? `scan-${fileId}` : `scan-${fileId}-${round}`)
})
