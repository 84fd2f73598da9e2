import { Refusal } from './refusals.js'
import { readerOf, restOf, type MemberReader, type SequentialReader } from './sequential-reader.js'

/** A piece of a sparse file, and its offset in the file. */
export interface SparsePiece {
  offset: number
  sizeBytes: number
}

const BLOCK_BYTES = 512
const ENTRY_BYTES = 24
const MAX_PIECES = 100_000
const DECIMAL = /^\d{1,15}$/
/**
 * The archive decides the length of a hole, possibly a terabyte. Long holes are shortened: no signature spans
 * so many zeros.
 */
const LONGEST_HOLE_BYTES = 1024 * 1024

/** Offsets above 8 GiB are in base 256. */
function parseNumber(field: Buffer): number {
  if (field[0] === 0x80) return Number(field.subarray(4).readBigUInt64BE())
  const text = field
    .toString('latin1')
    .replace(/[\0 ]+$/, '')
    .replace(/^ +/, '')
  if (!/^[0-7]+$/.test(text)) throw new Refusal('TarMismatch')
  return Number.parseInt(text, 8)
}

function readEntries(block: Buffer, at: number, count: number): SparsePiece[] {
  return Array.from({ length: count }, (_, i) =>
    block.subarray(at + i * ENTRY_BYTES, at + (i + 1) * ENTRY_BYTES)
  )
    .filter((entry) => entry[0] !== 0)
    .map((entry) => {
      return { offset: parseNumber(entry.subarray(0, 12)), sizeBytes: parseNumber(entry.subarray(12)) }
    })
}

/**
 * The list in GNU tar's own sparse format: four pieces in the header, then blocks of 21 pieces while each
 * block announces another.
 */
export async function readGnuSparseMap(header: Buffer, reader: SequentialReader): Promise<SparsePiece[]> {
  const pieces = readEntries(header, 386, 4)
  for (let follows = header[482] !== 0; follows; ) {
    const block = await reader.read(BLOCK_BYTES)
    if (block.length < BLOCK_BYTES || pieces.length > MAX_PIECES) throw new Refusal('TarMismatch')
    pieces.push(...readEntries(block, 0, 21))
    follows = block[504] !== 0
  }
  return pieces
}

/**
 * The list at the start of the data, one decimal number per line: the number of pieces, then the offset and
 * the length of each.
 */
async function readMapInData(member: MemberReader): Promise<SparsePiece[]> {
  let text = ''
  const numbers: number[] = []
  for (let wanted = 1; numbers.length < wanted; ) {
    const block = await member.read(BLOCK_BYTES)
    if (block.length === 0) throw new Refusal('TarMismatch')
    text += block.toString('latin1')
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    if (!lines.every((line) => DECIMAL.test(line))) throw new Refusal('TarMismatch')
    numbers.push(...lines.map(Number))
    wanted = 1 + 2 * (numbers[0] ?? 0)
    if (!(wanted <= 2 * MAX_PIECES)) throw new Refusal('TarMismatch')
  }
  const count = numbers[0] ?? 0
  return Array.from({ length: count }, (_, i) => ({
    offset: numbers[1 + 2 * i] ?? 0,
    sizeBytes: numbers[2 + 2 * i] ?? 0
  }))
}

/** An unpacker would write pieces in another order than they were scanned. */
function checkOrder(pieces: SparsePiece[]): void {
  let position = 0
  for (const { offset, sizeBytes } of pieces) {
    if (!(offset >= position && sizeBytes >= 0)) throw new Refusal('TarMismatch')
    position = offset + sizeBytes
  }
}

/** The file as an unpacker writes it, with zeros in the holes. */
export function expandSparse(
  member: MemberReader,
  map: SparsePiece[] | 'in-data',
  onRead: (bytes: number) => void
): SequentialReader {
  async function* expanded(): AsyncGenerator<Buffer> {
    const pieces = map === 'in-data' ? await readMapInData(member) : map
    checkOrder(pieces)
    let position = 0
    for (const { offset, sizeBytes } of pieces) {
      if (offset > position) yield Buffer.alloc(Math.min(offset - position, LONGEST_HOLE_BYTES))
      for (let left = sizeBytes; left > 0; ) {
        const bytes = await member.read(Math.min(left, LONGEST_HOLE_BYTES))
        if (bytes.length === 0) return
        left -= bytes.length
        yield bytes
      }
      position = offset + sizeBytes
    }
    // Another reader may treat the bytes that the list omits as part of the file.
    yield* restOf(member)
  }
  return readerOf(expanded(), onRead)
}
