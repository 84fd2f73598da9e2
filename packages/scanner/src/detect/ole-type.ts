const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const ENTRY_BYTES = 128
const NAME_BYTES = 64
const ROOT = 5
/** Unused, storage, stream and root. */
const ENTRY_TYPES = new Set([0, 1, 2, ROOT])

/** Class ids of the root entry, as stored, that share this end: of installer packages, transforms and patches; and of documents. */
const CLASS_END = '0000000000c000000000000046'
const installerClasses = new Set(['84100c', '82100c', '86100c'].map((start) => start + CLASS_END))
const typeByClass = new Map([
  [`060902${CLASS_END}`, 'application/msword'],
  [`000902${CLASS_END}`, 'application/msword'],
  [`200802${CLASS_END}`, 'application/vnd.ms-excel'],
  [`100802${CLASS_END}`, 'application/vnd.ms-excel'],
  [`0b0d02${CLASS_END}`, 'application/vnd.ms-outlook'],
  [`141a02${CLASS_END}`, 'application/vnd.visio'],
  ['108d81649b4fcf1186ea00aa00b929e8', 'application/vnd.ms-powerpoint']
])

/** The stream that each format cannot do without. */
const typeByStream = new Map([
  ['WordDocument', 'application/msword'],
  ['Workbook', 'application/vnd.ms-excel'],
  ['Book', 'application/vnd.ms-excel'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
  ['VisioDocument', 'application/vnd.visio'],
  ['__properties_version1.0', 'application/vnd.ms-outlook']
])

export function isOle (head: Buffer): boolean {
  return head.subarray(0, SIGNATURE.length).equals(SIGNATURE)
}

/** Where the directory begins, from the 512 bytes of the header; null when this is no OLE file. */
export function oleDirectoryOffset (head: Buffer): number | null {
  if (!isOle(head)) return null
  const shift = head.readUInt16LE(0x1e)
  // 512-byte sectors in version 3, 4,096 in version 4; no other value exists.
  if (shift !== 9 && shift !== 12) return null
  return (head.readUInt32LE(0x30) + 1) * 2 ** shift
}

/** MSI names its tables in this block of code points to pack two letters into one. */
function isInstallerName (name: string): boolean {
  const first = name.charCodeAt(0)
  return first >= 0x3800 && first <= 0x4840
}

interface Entry { name: string, classId: string }

/** The entries until one that cannot be: the directory need not lie in one piece, and other data may follow its first sector. */
function readEntries (directory: Buffer): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const nameBytes = directory.readUInt16LE(at + NAME_BYTES)
    const isRoot = directory[at + 0x42] === ROOT
    const isEntry = nameBytes <= NAME_BYTES && nameBytes % 2 === 0 && ENTRY_TYPES.has(directory[at + 0x42] as number)
    if (!isEntry || isRoot !== (at === 0)) break
    entries.push({
      name: directory.toString('utf16le', at, at + Math.max(0, nameBytes - 2)),
      classId: directory.toString('hex', at + 0x50, at + 0x60)
    })
  }
  return entries
}

/** The type by the streams inside; null for installers, for encrypted packages, which nobody can scan, and for what we do not know. */
export function oleType (directory: Buffer): string | null {
  const entries = readEntries(directory)
  const rootClass = entries[0]?.classId ?? ''
  if (installerClasses.has(rootClass)) return null
  if (entries.some(({ name }) => isInstallerName(name) || name === 'EncryptedPackage')) return null
  const found = entries.find(({ name }) => typeByStream.has(name))
  return (found === undefined ? typeByClass.get(rootClass) : typeByStream.get(found.name)) ?? null
}
