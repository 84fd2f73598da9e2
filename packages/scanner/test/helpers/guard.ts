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

/** The guard with a scanner that notes what it is given and calls all of it clean. */
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

/** Null when the file is let through. */
export async function reasonFor(bytes: Buffer): Promise<string | null> {
  const { result } = await guard(sourceOf(bytes))
  return result.ok ? null : result.reason
}

/** Whether the file is let through, and the scanner given these bytes in one piece beside the file itself. */
export async function handsOver(bytes: Buffer, content: Buffer): Promise<boolean> {
  const { result, handedOver } = await guard(sourceOf(bytes))
  return result.ok && handedOver.some((body) => body.includes(content))
}
