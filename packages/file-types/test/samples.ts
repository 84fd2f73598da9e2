import { buffer } from 'node:stream/consumers'
import { createTypeSniffer, type Detection } from '../src/index.js'
import tar from 'tar-stream'
import yazl from 'yazl'

export type Entries = Readonly<Record<string, string>>

/** Bytes from text (one character, one byte), lists of bytes and buffers. */
export function bytes(...parts: Array<string | readonly number[] | Buffer>): Buffer {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)))
  )
}

/** The parts at their offsets, zeros between. */
export function sparse(size: number, parts: Readonly<Record<number, Buffer | string>>): Buffer {
  const all = Buffer.alloc(size)
  for (const [at, part] of Object.entries(parts)) Buffer.from(part as string, 'latin1').copy(all, Number(at))
  return all
}

export async function zip(
  entries: Entries,
  { compress = true }: { compress?: boolean } = {}
): Promise<Buffer> {
  const file = new yazl.ZipFile()
  for (const [name, content] of Object.entries(entries)) {
    file.addBuffer(Buffer.from(content, 'latin1'), name, { compress })
  }
  file.end()
  return await buffer(file.outputStream)
}

export async function tarball(entries: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const pack = tar.pack()
  for (const [name, content] of Object.entries(entries)) pack.entry({ name }, content)
  pack.finalize()
  return await buffer(pack)
}

/** An Office document's list of content types, which names its main part. */
export function contentTypes(main: string): string {
  return `<?xml version="1.0"?><Types><Override PartName="/x.xml" ContentType="${main}.main+xml"/></Types>`
}

export interface OleOptions {
  names: readonly string[]
  classId?: string
  /** Index of the sector that contains the directory. */
  directorySector?: number
  /** One sector after the directory, with the start of the first stream. */
  firstStream?: Buffer
  /** Ids of the entries directly in the root, where the first name has id 1; by default all. */
  top?: readonly number[]
}

/** A compound file of which only the header and the directory are real. */
export function ole(options: OleOptions): Buffer {
  const { names, classId = '', directorySector = 0, firstStream, top = [] } = options
  const directoryAt = (directorySector + 1) * 512
  const file = Buffer.alloc(directoryAt + 128 * (names.length + 1) + 512)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file)
  file.writeUInt16LE(3, 0x1a)
  file.writeUInt16LE(9, 0x1e)
  file.writeUInt32LE(directorySector, 0x30)
  for (const [index, name] of ['Root Entry', ...names].entries()) {
    const at = directoryAt + 128 * index
    file.write(name, at, 'utf16le')
    file.writeUInt16LE((name.length + 1) * 2, at + 64)
    file.writeUInt8(index === 0 ? 5 : 2, at + 66)
  }
  Buffer.from(classId, 'hex').copy(file, directoryAt + 0x50)
  for (const [index, id] of top.entries()) {
    // The root has one child, and each child has the next one as its right sibling.
    const previousAt = directoryAt + 128 * (index === 0 ? 0 : (top[index - 1] as number))
    file.writeUInt32LE(id, previousAt + (index === 0 ? 0x4c : 0x48))
  }
  if (firstStream === undefined) return file
  const sector = Math.ceil(file.length / 512) - 1
  file.writeUInt32LE(sector, directoryAt + 128 + 0x74)
  return Buffer.concat([file, Buffer.alloc(-file.length & 511), firstStream])
}

/** A compound file whose directory occupies sectors 0 and 2; the table in sector 1 links them. */
export function oleInPieces(names: readonly string[], { next = 2 }: { next?: number } = {}): Buffer {
  const whole = ole({ names })
  const header = Buffer.from(whole.subarray(0, 512))
  header.writeUInt32LE(1, 0x2c)
  header.writeUInt32LE(0xfffffffe, 0x44)
  header.writeUInt32LE(1, 0x4c)
  const table = Buffer.alloc(512, 0xff)
  table.writeUInt32LE(next, 0)
  table.writeUInt32LE(0xfffffffd, 4)
  table.writeUInt32LE(0xfffffffe, 8)
  return Buffer.concat([header, whole.subarray(512, 1024), table, whole.subarray(1024, 1536)])
}

export function utf16(text: string, order: 'le' | 'be'): Buffer {
  const little = Buffer.from(`\ufeff${text}`, 'utf16le')
  return order === 'le' ? little : little.swap16()
}

/** Everything that is detected about a file. */
export async function inspect(content: Buffer, name: string, chunkBytes = 65_536): Promise<Detection> {
  const sniffer = createTypeSniffer()
  for (let at = 0; at < content.length; at += chunkBytes) {
    const chunk = Buffer.from(content.subarray(at, at + chunkBytes))
    sniffer.update(chunk)
    // A stream may overwrite a chunk it has handed out.
    chunk.fill(0xaa)
  }
  return await sniffer.finish(name)
}

/** Only type and kind; null for a refused file. */
export async function detect(
  content: Buffer,
  name: string,
  chunkBytes?: number
): Promise<{ type: string; kind: string } | null> {
  const found = await inspect(content, name, chunkBytes)
  return 'rejection' in found ? null : { type: found.type, kind: found.kind }
}
