import type { ScanSource } from '../scanner.js'

export type GuardResult = { ok: true } | { ok: false, reason: string }

export type GuardedSource = Pick<ScanSource, 'sizeBytes' | 'open'>

/** Thrown by the checks of one format where the archive is found wanting; never leaves the guard. */
export class Refusal extends Error {
  readonly reason: string

  /** @param reason becomes part of a signature name: letters and digits only. */
  constructor (reason: string) {
    super(reason)
    this.name = 'Refusal'
    this.reason = reason
  }
}

export function isZlibError (error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')
}
