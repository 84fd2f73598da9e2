import { Refusal } from './guard-result.js'
import { readPaxRecords, type PaxFacts } from './pax.js'
import { hasOnlyZerosLeft, isZero, memberOf, type MemberReader, type SequentialReader } from './sequential-reader.js'

const BLOCK_BYTES = 512
/** Also clamd's MaxFiles. */
const MAX_ENTRIES = 10_000
/** Far above real extended headers (long names, ACLs). */
const MAX_PAX_BYTES = 1024 * 1024

/** Files in their old and new form, contiguous files, and the headers that carry long names. */
const FILE_TYPES = ['0', '\0', '7']
const TYPES_WITH_DATA = [...FILE_TYPES, 'x', 'g', 'L', 'K']

export function isTarHeader (block: Buffer): boolean {
  return block.length >= BLOCK_BYTES && checksumMatches(block)
}

/** clamd and unpackers must agree on where each member begins, or a member hides inside another. */
export async function guardTar (reader: SequentialReader, guardMember: (member: MemberReader) => Promise<void>): Promise<void> {
  let paxSize: number | null = null
  for (let count = 0; ; count++) {
    const header = await reader.read(BLOCK_BYTES)
    if (header.length < BLOCK_BYTES) return
    if (isZero(header)) break
    if (count >= MAX_ENTRIES) throw new Refusal('TarTooManyEntries')
    if (!checksumMatches(header)) throw new Refusal('TarBroken')
    const type = header.toString('latin1', 156, 157)
    const sizeBytes = parseSize(header)
    if (type === 'S') throw new Refusal('TarSparse')
    if (sizeBytes > 0 && !TYPES_WITH_DATA.includes(type)) throw new Refusal('TarHiddenData')
    if (type === 'x' || type === 'g') {
      const { size } = await readPax(reader, sizeBytes)
      // One size for all files, or two for one: nobody writes it, and readers differ in what it means.
      if (size !== null && (type === 'g' || paxSize !== null)) throw new Refusal('TarMismatch')
      paxSize ??= size
    } else {
      if (paxSize !== null && type !== 'L' && type !== 'K') {
        if (paxSize !== sizeBytes) throw new Refusal('TarMismatch')
        paxSize = null
      }
      const member = memberOf(reader, sizeBytes)
      if (FILE_TYPES.includes(type)) await guardMember(member)
      await member.finish()
    }
    await reader.skip((BLOCK_BYTES - sizeBytes % BLOCK_BYTES) % BLOCK_BYTES)
  }
  // Most unpackers stop at the zero block; those that go on would find what clamd has not seen.
  if (!await hasOnlyZerosLeft(reader)) throw new Refusal('TarTrailingData')
}

async function readPax (reader: SequentialReader, sizeBytes: number): Promise<PaxFacts> {
  if (sizeBytes > MAX_PAX_BYTES) throw new Refusal('TarBroken')
  const records = await reader.read(sizeBytes)
  if (records.length < sizeBytes) throw new Refusal('TarBroken')
  return readPaxRecords(records)
}

function parseSize (header: Buffer): number {
  const field = header.subarray(124, 136)
  // A leading high bit means base 256, meant for files over 8 GiB; clamd reads it as zero.
  if (((field[0] ?? 0) & 0x80) !== 0) throw new Refusal('TarMismatch')
  const text = field.toString('latin1').replace(/[\0 ]+$/, '').trimStart()
  if (!/^[0-7]*$/.test(text)) throw new Refusal('TarBroken')
  return text === '' ? 0 : Number.parseInt(text, 8)
}

/** The sum of the header's bytes with the checksum itself as spaces; old tars summed signed bytes. */
function checksumMatches (header: Buffer): boolean {
  const text = header.toString('latin1', 148, 156).replace(/[\0 ]+$/, '').trimStart()
  if (!/^[0-7]+$/.test(text)) return false
  let unsigned = 0
  let signed = 0
  for (let i = 0; i < BLOCK_BYTES; i++) {
    const byte = i >= 148 && i < 156 ? 0x20 : header[i] ?? 0
    unsigned += byte
    signed += byte > 127 ? byte - 256 : byte
  }
  const sum = Number.parseInt(text, 8)
  return sum === unsigned || sum === signed
}
