import { isOleEntry, type OleDirectory } from './ole-reader.js'
import { executableRefused, passwordProtected, unidentified, type RefusedType } from './rejections.js'

const ENTRY_BYTES = 128
const NAME_LENGTH_AT = 64
const ROOT = 5
const NO_ENTRY = 0xffffffff

/**
 * The common end of the root entry's class ids, as stored, of installer packages, transforms, patches and
 * documents.
 */
const CLASS_END = '0000000000c000000000000046'
const installerClasses = new Set(['84100c', '82100c', '86100c'].map((start) => start + CLASS_END))
const typeByClass = new Map([
  [`060902${CLASS_END}`, 'application/msword'],
  [`000902${CLASS_END}`, 'application/msword'],
  [`200802${CLASS_END}`, 'application/vnd.ms-excel'],
  [`100802${CLASS_END}`, 'application/vnd.ms-excel'],
  [`0b0d02${CLASS_END}`, 'application/vnd.ms-outlook'],
  [`141a02${CLASS_END}`, 'application/vnd.visio'],
  [`011202${CLASS_END}`, 'application/x-mspublisher'],
  ['3a8fb774c8c8d111be1100c04fb6faf1', 'application/vnd.ms-project'],
  ['108d81649b4fcf1186ea00aa00b929e8', 'application/vnd.ms-powerpoint']
])

/** The stream or storage that each format requires, in lower case: names are case-insensitive. */
const typeByName: ReadonlyArray<readonly [name: RegExp, type: string]> = [
  [/^worddocument$/, 'application/msword'],
  [/^(?:work)?book$/, 'application/vnd.ms-excel'],
  [/^(?:powerpoint document|pp40)$/, 'application/vnd.ms-powerpoint'],
  [/^visiodocument$/, 'application/vnd.visio'],
  [/^__properties_version1\.0$/, 'application/vnd.ms-outlook'],
  [/^quill$/, 'application/x-mspublisher'],
  [/^props(?:8|9|12|14)$|^ {3}1\d\d$/, 'application/vnd.ms-project'],
  [/hwpsummaryinformation$/, 'application/x-hwp'],
  [/^(?:matost|wksssworkbook)$/, 'application/vnd.ms-works'],
  [/^starwriterdocument$/, 'application/vnd.stardivision.writer'],
  [/^starcalcdocument$/, 'application/vnd.stardivision.calc'],
  [/^stardrawdocument3?$/, 'application/vnd.stardivision.draw'],
  [/^nativecontent_main$/, 'application/x-quattro-pro'],
  [/^perfectoffice_main$/, 'application/vnd.wordperfect']
]

/** MSI names its tables in this block of code points to pack two letters into one. */
function isInstallerName(name: string): boolean {
  const first = name.charCodeAt(0)
  return first >= 0x3800 && first <= 0x4840
}

interface Entry {
  name: string
  classId: string
  left: number
  right: number
  child: number
  sector: number
}

/** By id; undefined where an entry is unused or unreadable, because the directory may be truncated. */
function readEntries(directory: Buffer): Array<Entry | undefined> {
  const entries: Array<Entry | undefined> = []
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const nameBytes = directory.readUInt16LE(at + NAME_LENGTH_AT)
    const isRoot = directory[at + 0x42] === ROOT
    entries.push(
      !isOleEntry(directory, at) || isRoot !== (at === 0) || nameBytes < 2
        ? undefined
        : {
            name: directory.toString('utf16le', at, at + nameBytes - 2),
            classId: directory.toString('hex', at + 0x50, at + 0x60),
            left: directory.readUInt32LE(at + 0x44),
            right: directory.readUInt32LE(at + 0x48),
            child: directory.readUInt32LE(at + 0x4c),
            sector: directory.readUInt32LE(at + 0x74)
          }
    )
  }
  return entries
}

/** The entries directly in the root: those of embedded objects say nothing about the file. */
function topEntries(entries: ReadonlyArray<Entry | undefined>): Entry[] {
  const found: Entry[] = []
  const seen = new Set<number>([0, NO_ENTRY])
  const ahead = [entries[0]?.child ?? NO_ENTRY]
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    const entry = entries[id]
    if (seen.has(id) || entry === undefined) continue
    seen.add(id)
    found.push(entry)
    ahead.push(entry.left, entry.right)
  }
  return found
}

/**
 * The type by its streams, or why the file is not accepted: installers, encrypted packages that cannot be
 * scanned, unknown ones.
 */
export function oleType({ entries: directory, encrypted }: OleDirectory): string | RefusedType {
  const entries = readEntries(directory)
  const all = entries.filter((entry) => entry !== undefined)
  const rootClass = entries[0]?.classId ?? ''
  if (installerClasses.has(rootClass) || all.some(({ name }) => isInstallerName(name))) {
    return executableRefused
  }
  const top = topEntries(entries)
  const asked = (top.length === 0 ? all : top).map(({ name, sector }) => ({
    name: name.toLowerCase(),
    sector
  }))
  if (asked.some(({ name }) => name === 'encryptedpackage' || name === 'encryptedsummary')) {
    return passwordProtected
  }
  for (const [pattern, type] of typeByName) {
    const found = asked.find(({ name }) => pattern.test(name))
    if (found !== undefined) return encrypted.has(found.sector) ? passwordProtected : type
  }
  return typeByClass.get(rootClass) ?? unidentified
}
