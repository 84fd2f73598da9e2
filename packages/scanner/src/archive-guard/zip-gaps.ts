import type { ForwardReader } from './forward-reader.js'
import { Refusal } from './refusals.js'

/** Signatures of a file, a directory entry and an end record. */
const SIGNATURES = ['504b0304', '504b0102', '504b0506', '504b0606'].map((hex) => Buffer.from(hex, 'hex'))
/** Deleted files and padding leave only small gaps. */
const LONGEST_GAP_BYTES = 1024 * 1024

/**
 * A gap between the files of a ZIP is harmless, unless a program that reads from the front would find a file
 * in it.
 */
export async function refuseHiddenEntries(reader: ForwardReader, from: number, to: number): Promise<void> {
  if (from === to) return
  if (to - from > LONGEST_GAP_BYTES) throw new Refusal('ZipHiddenData')
  const gap = await reader.read(from, to - from)
  if (SIGNATURES.some((signature) => gap.includes(signature))) throw new Refusal('ZipHiddenData')
}
