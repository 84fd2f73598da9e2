import type { SelectedFile } from '@filewright/db'

export interface ZipEntry {
  id: string
  /** In the archive, with slashes. */
  name: string
}

/** Windows refuses these in names; a backslash would be a folder there, and a colon a drive or a stream. */
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f<>:"|?*\\]/g
/** Windows drops these at the end of a name, so that two names become one. */
const TRAILING = /[. ]+$/
/** Windows opens a device under these names, whatever the extension and with spaces before it. */
const RESERVED = /^(con(?:in\$|out\$)?|prn|aux|nul|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))/i
/** The maximum on Linux in bytes; macOS and Windows allow as many characters. */
const MAX_NAME_BYTES = 255

/** Makes a path segment that is valid on every system and cannot escape the target folder. */
export function safeSegment(segment: string): string {
  const safe = shortened(segment.replace(UNSAFE, '_').replace(RESERVED, '_$1'), '').replace(TRAILING, (end) =>
    '_'.repeat(end.length)
  )
  return safe === '' ? '_' : safe
}

/** Adds a suffix before the extension, and shortens the name before the suffix if it would be too long. */
function shortened(name: string, suffix: string): string {
  const dot = name.lastIndexOf('.')
  const end = dot > 0 ? dot : name.length
  const room = MAX_NAME_BYTES - Buffer.byteLength(suffix)
  const roomForStem = room - Buffer.byteLength(name.slice(end))
  return roomForStem > 0
    ? cut(name.slice(0, end), roomForStem) + suffix + name.slice(end)
    : cut(name, room) + suffix
}

/** Truncates to at most that many bytes, without splitting a character. */
function cut(text: string, maxBytes: number): string {
  let size = 0
  let kept = ''
  for (const letter of text) {
    size += Buffer.byteLength(letter)
    if (size > maxBytes) break
    kept += letter
  }
  return kept
}

function relativeFolder(folder: string, base: string): string {
  if (folder === base) return ''
  return base !== '' && folder.startsWith(`${base}/`) ? folder.slice(base.length + 1) : folder
}

/**
 * Systems that ignore case treat names with the same key as equal. Converts to upper and to lower case,
 * because σ and ς differ only in lower case.
 */
const keyOf = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase()

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function numbered(path: string, number: number): string {
  const start = path.lastIndexOf('/') + 1
  return path.slice(0, start) + shortened(path.slice(start), ` (${number})`)
}

/**
 * Gives each file a safe and unique name, in the order of the names. The same files always get the same
 * names, so that a client can continue after the last name that it received.
 */
export function nameEntries(files: readonly SelectedFile[], base: string): ZipEntry[] {
  const paths = files.map(({ id, folder, name }) => {
    const folders = relativeFolder(folder, base)
      .split('/')
      .filter((part) => part !== '')
    return { id, path: [...folders, name].map(safeSegment).join('/') }
  })
  // A file must not have the same name as a folder of another file.
  const taken = new Set<string>()
  for (const { path } of paths) {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      taken.add(keyOf(path.slice(0, end)))
    }
  }
  const numbers = new Map<string, number>()
  const entries = paths
    .toSorted((a, b) => byCodeUnits(a.path, b.path) || byCodeUnits(a.id, b.id))
    .map(({ id, path }) => {
      const key = keyOf(path)
      let number = numbers.get(key) ?? 1
      let name = path
      while (taken.has(keyOf(name))) name = numbered(path, ++number)
      numbers.set(key, number)
      taken.add(keyOf(name))
      return { id, name }
    })
  return entries.sort((a, b) => byCodeUnits(a.name, b.name))
}
