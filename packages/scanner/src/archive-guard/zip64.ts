import type { ForwardReader } from './forward-reader.js'
import { Refusal } from './refusals.js'

const LOCATOR_SIGNATURE = 0x07064b50
const RECORD_SIGNATURE = 0x06064b50
const EXTRA_ID = 0x0001
export const LOCATOR_BYTES = 20
const RECORD_BYTES = 56

/** In a 32-bit field: the extra field has the number. */
export const IN_EXTRA = 0xffffffff

/** The numbers of an entry that may exceed their fields, in the order of the extra field. */
export interface WideNumbers {
  sizeBytes: number
  compressedBytes: number
  offset: number
}

function toNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new Refusal('ZipMismatch')
  return Number(value)
}

/**
 * Completes 32-bit fields with numbers from the extra field. Every record of the extra field must be
 * complete.
 */
export function resolveWideNumbers(numbers: WideNumbers, extra: Buffer): WideNumbers {
  const wide = wideRecord(extra)
  let at = 0
  const resolve = (value: number): number => {
    if (value !== IN_EXTRA) return value
    if (wide === null || at + 8 > wide.length) throw new Refusal('ZipMismatch')
    at += 8
    return toNumber(wide.readBigUInt64LE(at - 8))
  }
  const sizeBytes = resolve(numbers.sizeBytes)
  const compressedBytes = resolve(numbers.compressedBytes)
  return { sizeBytes, compressedBytes, offset: resolve(numbers.offset) }
}

/** Two records would allow two interpretations. */
function wideRecord(extra: Buffer): Buffer | null {
  let found: Buffer | null = null
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === EXTRA_ID) {
      if (found !== null) throw new Refusal('ZipMismatch')
      found = extra.subarray(at + 4, end)
    }
    at = end
  }
  return found
}

export interface Zip64End {
  position: number
  entries: number
  directoryBytes: number
  directoryOffset: number
}

/**
 * The ZIP64 end record, if a locator is directly before the ordinary end record. The ZIP64 record must be
 * directly before the locator.
 */
export async function readZip64End(reader: ForwardReader, endPosition: number): Promise<Zip64End | null> {
  const locatorPosition = endPosition - LOCATOR_BYTES
  if (locatorPosition < RECORD_BYTES) return null
  const locator = await reader.read(locatorPosition, LOCATOR_BYTES)
  if (locator.readUInt32LE(0) !== LOCATOR_SIGNATURE) return null
  const position = toNumber(locator.readBigUInt64LE(8))
  const record = await reader.read(position, RECORD_BYTES)
  if (record.length < RECORD_BYTES || record.readUInt32LE(0) !== RECORD_SIGNATURE) {
    throw new Refusal('ZipMismatch')
  }
  if (position + 12 + toNumber(record.readBigUInt64LE(4)) !== locatorPosition) {
    throw new Refusal('ZipMismatch')
  }
  if (record.readUInt32LE(16) !== 0 || record.readUInt32LE(20) !== 0 || locator.readUInt32LE(4) !== 0) {
    throw new Refusal('ZipSpanned')
  }
  return {
    position,
    entries: toNumber(record.readBigUInt64LE(32)),
    directoryBytes: toNumber(record.readBigUInt64LE(40)),
    directoryOffset: toNumber(record.readBigUInt64LE(48))
  }
}
