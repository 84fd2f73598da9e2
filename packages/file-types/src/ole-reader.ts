const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const HEADER_BYTES = 512
const ENTRY_BYTES = 128
const NAME_BYTES = 64
const ROOT = 5
/** Unused, storage, stream and root. */
const ENTRY_TYPES = new Set([0, 1, 2, ROOT])
/** Larger values are markers: end of chain, free, and the table's own sectors. */
const LAST_SECTOR = 0xfffffffa
/** Documents have a few dozen entries of 128 bytes; this is for several thousand. */
const DIRECTORY_BYTES = 512 * 1024

export interface OleDirectory {
  /** The entries in the order of their ids, as far as they were found. */
  entries: Buffer
  /** Sectors that begin an encrypted Word or Excel stream. */
  encrypted: ReadonlySet<number>
}

export interface OleReader {
  update: (chunk: Buffer) => void
  /** Null when this is not an OLE file. */
  finish: () => OleDirectory | null
}

export function isOle(head: Buffer): boolean {
  return head.subarray(0, SIGNATURE.length).equals(SIGNATURE)
}

export function isOleEntry(directory: Buffer, at: number): boolean {
  const nameBytes = directory.readUInt16LE(at + NAME_BYTES)
  return nameBytes <= NAME_BYTES && nameBytes % 2 === 0 && ENTRY_TYPES.has(directory[at + 0x42] as number)
}

function looksLikeDirectory(sector: Buffer): boolean {
  let used = 0
  for (let at = 0; at + ENTRY_BYTES <= sector.length; at += ENTRY_BYTES) {
    if (!isOleEntry(sector, at) || (sector[at + 0x43] as number) > 1) return false
    if (sector[at + 0x42] !== 0 && sector.readUInt16LE(at + NAME_BYTES) >= 4) used++
  }
  return used > 0
}

const BOF = 0x0809
const WRITE_PROTECT = 0x0086
const FILE_PASS = 0x002f

/** Word has it in its first bytes, Excel in a record after the first. */
function beginsEncryptedStream(sector: Buffer): boolean {
  if (sector.readUInt16LE(0) === 0xa5ec) return (sector.readUInt16LE(0x0a) & 0x0100) !== 0
  if (sector.readUInt16LE(0) !== BOF) return false
  let at = 4 + sector.readUInt16LE(2)
  if (at + 4 <= sector.length && sector.readUInt16LE(at) === WRITE_PROTECT) {
    at += 4 + sector.readUInt16LE(at + 2)
  }
  return at + 4 <= sector.length && sector.readUInt16LE(at) === FILE_PASS
}

/**
 * Finds the directory of an OLE file while the file streams past. The directory may be fragmented, and the
 * table that lists its sectors may be anywhere too: so everything that looks like a directory is kept, with
 * the table, and put in order at the end.
 */
export function createOleReader(): OleReader {
  let isOther = false
  let sectorBytes = 0
  let pending: Buffer = Buffer.alloc(0)
  let index = -1
  let firstSector = 0
  let nextTableList = LAST_SECTOR
  let keptBytes = 0
  /** The sectors of the table, and their order. */
  const tableAt = new Map<number, number>()
  const table = new Map<number, Buffer>()
  const directory = new Map<number, Buffer>()
  const encrypted = new Set<number>()

  function noteTable(sectors: Buffer, count: number): void {
    for (let i = 0; i < count; i++) {
      const sector = sectors.readUInt32LE(4 * i)
      if (sector < LAST_SECTOR) tableAt.set(sector, tableAt.size)
    }
  }

  function readHeader(header: Buffer): void {
    const shift = header.readUInt16LE(0x1e)
    // 512-byte sectors in version 3, 4,096 in version 4; no other value exists.
    isOther = shift !== 9 && shift !== 12
    sectorBytes = 2 ** shift
    firstSector = header.readUInt32LE(0x30)
    nextTableList = header.readUInt32LE(0x44)
    noteTable(header.subarray(0x4c), Math.min(109, header.readUInt32LE(0x2c)))
  }

  function takeSector(sector: Buffer): void {
    const piece = tableAt.get(index)
    if (piece !== undefined) table.set(piece, Buffer.from(sector))
    if (index === nextTableList) {
      noteTable(sector, sectorBytes / 4 - 1)
      nextTableList = sector.readUInt32LE(sectorBytes - 4)
    }
    if (beginsEncryptedStream(sector)) encrypted.add(index)
    if (index !== firstSector && (keptBytes >= DIRECTORY_BYTES || !looksLikeDirectory(sector))) return
    directory.set(index, Buffer.from(sector))
    keptBytes += sectorBytes
  }

  function takeSectors(): void {
    let at = 0
    for (; pending.length - at >= sectorBytes; at += sectorBytes) {
      // The header occupies a whole sector.
      if (index >= 0) takeSector(pending.subarray(at, at + sectorBytes))
      index++
    }
    pending = Buffer.from(pending.subarray(at))
  }

  /** Where the table is unknown, the next sector is the most likely. */
  function after(sector: number): number {
    const entriesPerPiece = sectorBytes / 4
    const piece = table.get(Math.floor(sector / entriesPerPiece))
    return piece === undefined ? sector + 1 : piece.readUInt32LE(4 * (sector % entriesPerPiece))
  }

  function inOrder(): Buffer {
    const found: Buffer[] = []
    const seen = new Set<number>()
    for (let sector = firstSector; sector < LAST_SECTOR && !seen.has(sector); sector = after(sector)) {
      seen.add(sector)
      const piece = directory.get(sector)
      if (piece === undefined && (table.size === 0 || seen.size * sectorBytes > DIRECTORY_BYTES)) break
      found.push(piece ?? Buffer.alloc(sectorBytes))
    }
    return Buffer.concat(found)
  }

  return {
    update(chunk) {
      if (isOther) return
      // Most files are not OLE, which their first chunk shows; it is then not copied.
      isOther = sectorBytes === 0 && pending.length === 0 && chunk.length >= SIGNATURE.length && !isOle(chunk)
      if (isOther) return
      pending = Buffer.concat([pending, chunk])
      if (sectorBytes === 0) {
        isOther = pending.length >= SIGNATURE.length && !isOle(pending)
        if (isOther || pending.length < HEADER_BYTES) return
        readHeader(pending)
        if (isOther) return
      }
      takeSectors()
    },
    finish() {
      if (isOther || sectorBytes === 0) return null
      // Some writers do not pad the last sector.
      if (pending.length > 0 && index >= 0) takeSector(Buffer.concat([pending], sectorBytes))
      return { entries: inOrder(), encrypted }
    }
  }
}
