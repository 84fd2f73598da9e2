import { Refusal } from './guard-result.js'
import { readPaxRecords } from './pax.js'
import { hasOnlyZerosLeft, isZero, memberOf, type MemberReader, type SequentialReader } from './sequential-reader.js'

const BLOCK_BYTES = 512
const NAME_BYTES = 100
/** Also clamd's MaxFiles. */
const MAX_ENTRIES = 10_000
/** Far above real extended headers (long names, ACLs). */
const MAX_EXTENSION_BYTES = 1024 * 1024

/** Files in their old and new form, contiguous files, and the headers that carry long names. */
const FILE_TYPES = ['0', '\0', '7']
const TYPES_WITH_DATA = [...FILE_TYPES, 'x', 'g', 'L', 'K']

export function isTarHeader (block: Buffer): boolean {
  return block.length >= BLOCK_BYTES && checksumMatches(block)
}

/** @param names all that an unpacker might call it. */
export type GuardTarMember = (member: MemberReader, names: string[]) => Promise<void>

/** clamd and unpackers must agree on where each member begins, or a member hides inside another. */
export async function guardTar (reader: SequentialReader, guardMember: GuardTarMember): Promise<void> {
  let paxSize: number | null = null
  let names: string[] = []
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
      const { size, path } = readPaxRecords(await readExtension(reader, sizeBytes))
      // One size for all files, or two for one: nobody writes it, and readers differ in what it means.
      if (size !== null && (type === 'g' || paxSize !== null)) throw new Refusal('TarMismatch')
      paxSize ??= size
      if (path !== null) names.push(path)
    } else if (type === 'L' || type === 'K') {
      const name = await readExtension(reader, sizeBytes)
      if (type === 'L') names.push(textOf(name))
    } else {
      if (paxSize !== null && paxSize !== sizeBytes) throw new Refusal('TarMismatch')
      const member = memberOf(reader, sizeBytes)
      if (FILE_TYPES.includes(type)) await guardMember(member, [textOf(header.subarray(0, NAME_BYTES)), ...names])
      await member.finish()
      paxSize = null
      names = []
    }
    await reader.skip((BLOCK_BYTES - sizeBytes % BLOCK_BYTES) % BLOCK_BYTES)
  }
  // Most unpackers stop at the zero block; those that go on would find what clamd has not seen.
  if (!await hasOnlyZerosLeft(reader)) throw new Refusal('TarTrailingData')
}

/** Up to its end mark. */
function textOf (bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('latin1', 0, end === -1 ? bytes.length : end)
}

async function readExtension (reader: SequentialReader, sizeBytes: number): Promise<Buffer> {
  if (sizeBytes > MAX_EXTENSION_BYTES) throw new Refusal('TarBroken')
  const bytes = await reader.read(sizeBytes)
  if (bytes.length < sizeBytes) throw new Refusal('TarBroken')
  return bytes
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
