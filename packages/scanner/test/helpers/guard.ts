import { buffer } from 'node:stream/consumers'
import { guardArchive, type GuardResult } from '../../src/index.js'
import type { GuardOptions } from '../../src/archive-guard/archive-guard.js'
import type { GuardedSource } from '../../src/archive-guard/guard-result.js'
import { sourceOf } from './samples.js'

export interface Guarded {
  result: GuardResult
  /** The files that were scanned separately. */
  handedOver: Buffer[]
}

/** The guard with a scanner that records its input and reports everything as clean. */
export async function guard(
  source: GuardedSource,
  options: Omit<GuardOptions, 'scanContent'> = {}
): Promise<Guarded> {
  const handedOver: Buffer[] = []
  const result = await guardArchive(source, {
    ...options,
    scanContent: async (body) => {
      handedOver.push(Buffer.isBuffer(body) ? body : await buffer(body))
    }
  })
  return { result, handedOver }
}

/** Null if the file is accepted. */
export async function reasonFor(bytes: Buffer): Promise<string | null> {
  const { result } = await guard(sourceOf(bytes))
  return result.ok ? null : result.reason
}

/** Whether the file is accepted, and the scanner got this content as a separate file. */
export async function handsOver(bytes: Buffer, content: Buffer): Promise<boolean> {
  const { result, handedOver } = await guard(sourceOf(bytes))
  return result.ok && handedOver.some((body) => body.includes(content))
}
