import { Type, type Static } from '@filewright/schema'
import { defineQueue } from '../define-queue.js'

const ScanFilePayload = Type.Object({
  v: Type.Literal(1),
  fileId: Type.String({ minLength: 1 }),
  blobKey: Type.String({ minLength: 1 }),
  sizeBytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  requestId: Type.String(),
  /** Who uploaded it; absent for scans of the service's own. */
  tokenId: Type.Optional(Type.String()),
  /** Tells a later scan of a stored file from the one at its upload, whose result may still be there. */
  round: Type.Optional(Type.String({ pattern: '^[0-9A-Za-z]{1,32}$' }))
})
export type ScanFilePayload = Static<typeof ScanFilePayload>

const ScanFileResult = Type.Object({
  verdict: Type.Union([Type.Literal('clean'), Type.Literal('infected'), Type.Literal('unscannable')]),
  signature: Type.Optional(Type.String()),
  /** Why the file could not be scanned: a fragment of a sentence, in plain ASCII, that clients are shown. */
  reason: Type.Optional(Type.String()),
  engine: Type.String(),
  /** What was scanned: the gateway publishes a file only if it is this one. */
  fileId: Type.String(),
  sizeBytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** All that came out of archives in this file, whatever the verdict. */
  unpackedBytes: Type.Optional(Type.Integer({ minimum: 0 })),
  /** How long the scan ran, without the time it stood in line. */
  scanMs: Type.Optional(Type.Integer({ minimum: 0 })),
  /** HMAC of all the rest, see `sealVerdict`. Absent when the store has no secret yet. */
  seal: Type.Optional(Type.String())
})
export type ScanFileResult = Static<typeof ScanFileResult>

/** Is this file safe? The job carries ids and the expected hash, never bytes. */
export const scanFile = defineQueue<ScanFilePayload, ScanFileResult>({
  name: 'scan',
  payload: ScanFilePayload,
  result: ScanFileResult,
  // Results are a few dozen bytes, so more of them may stay for the poll.
  jobOptions: {
    attempts: 5,
    backoff: { type: 'exponential', delay: 500 },
    keepFinished: { age: 60, count: 5_000 }
  },
  // One scan per file and round: a second enqueue of the same is the same job.
  jobId: ({ fileId, round }) => (round === undefined ? `scan-${fileId}` : `scan-${fileId}-${round}`)
})
