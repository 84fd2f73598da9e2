import {
  DamagedArchiveError,
  MAX_ENTRIES,
  type ArchiveEntry,
  type ArchiveListing
} from './archive-entries.js'

const BLOCK = 512
/** Names longer than that are not names. */
const MAX_META_BYTES = 64 * 1024
/** A compressed archive may unpack to far more than its size. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024

const text = (bytes: Uint8Array): string => {
  const end = bytes.indexOf(0)
  return new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end))
}

function numberIn(field: Uint8Array): number {
  // GNU tar writes sizes above 8 GB as bytes, with the highest bit set.
  if (((field[0] ?? 0) & 0x80) !== 0) return field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0)
  const digits = text(field).trim()
  if (!/^[0-7]*$/.test(digits)) throw new DamagedArchiveError('a number that is none')
  return Number.parseInt(digits === '' ? '0' : digits, 8)
}

function checkSum(header: Uint8Array): void {
  const sum = header.reduce((all, byte, i) => all + (i >= 148 && i < 156 ? 32 : byte), 0)
  if (sum !== numberIn(header.subarray(148, 156))) throw new DamagedArchiveError('a wrong checksum')
}

/** Values of an extended header: `<length> <key>=<value>`. */
function paxValue(bytes: Uint8Array, key: string): string | undefined {
  return new RegExp(`(?:^|\\n)\\d+ ${key}=([^\\n]*)\\n`).exec(new TextDecoder().decode(bytes))?.[1]
}

class Source {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #rest: Uint8Array = new Uint8Array()
  #total = 0

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader()
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#reader.read()
    if (done) return false
    this.#total += value.length
    if (this.#total > MAX_UNPACKED_BYTES) throw new DamagedArchiveError('too large to list')
    this.#rest = value
    return true
  }

  /** Null at the end. */
  async take(count: number): Promise<Uint8Array | null> {
    const taken = new Uint8Array(count)
    let at = 0
    while (at < count) {
      if (this.#rest.length === 0 && !(await this.#more())) {
        if (at === 0) return null
        throw new DamagedArchiveError('the archive is cut off')
      }
      const part = this.#rest.subarray(0, count - at)
      taken.set(part, at)
      at += part.length
      this.#rest = this.#rest.subarray(part.length)
    }
    return taken
  }

  async skip(count: number): Promise<void> {
    let left = count
    while (left > 0) {
      if (this.#rest.length === 0 && !(await this.#more())) return
      const part = Math.min(left, this.#rest.length)
      this.#rest = this.#rest.subarray(part)
      left -= part
    }
  }

  async close(): Promise<void> {
    await this.#reader.cancel().catch(() => {})
  }
}

const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK

/** The files and folders of a tar archive, by its headers; their content is skipped. */
export async function tarEntries(stream: ReadableStream<Uint8Array>): Promise<ArchiveListing> {
  const source = new Source(stream)
  const entries: ArchiveEntry[] = []
  let longName: string | undefined
  let longSize: number | undefined
  try {
    for (let header = await source.take(BLOCK); header !== null; header = await source.take(BLOCK)) {
      if (header.every((byte) => byte === 0)) break
      checkSum(header)
      const size = longSize ?? numberIn(header.subarray(124, 136))
      const kind = String.fromCharCode(header[156] ?? 0)
      // "x" and "L" are about the next entry, "g" is about all of them.
      if (kind === 'x' || kind === 'L') {
        if (size > MAX_META_BYTES) throw new DamagedArchiveError('a name that is too long')
        const meta = await source.take(padded(size))
        if (meta === null) break
        const value = meta.subarray(0, size)
        longName = kind === 'L' ? text(value) : (paxValue(value, 'path') ?? longName)
        const paxSize = kind === 'x' ? paxValue(value, 'size') : undefined
        longSize = paxSize !== undefined && /^\d{1,15}$/.test(paxSize) ? Number(paxSize) : undefined
        continue
      }
      if (kind !== 'g' && kind !== 'K') {
        if (entries.length === MAX_ENTRIES) return { entries, isCut: true }
        const isUstar = text(header.subarray(257, 262)) === 'ustar'
        const prefix = isUstar ? text(header.subarray(345, 500)) : ''
        const own = text(header.subarray(0, 100))
        entries.push({ name: longName ?? (prefix === '' ? own : `${prefix}/${own}`), size })
        longName = undefined
        longSize = undefined
      }
      await source.skip(padded(size))
    }
  } finally {
    await source.close()
  }
  return { entries, isCut: false }
}
