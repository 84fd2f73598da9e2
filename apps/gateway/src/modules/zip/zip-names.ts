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
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** One segment of a path that every system can store and that leads nowhere else. */
export function safeSegment(segment: string): string {
  const safe = segment
    .replace(UNSAFE, '_')
    .replace(TRAILING, (end) => '_'.repeat(end.length))
    .replace(RESERVED, '_$1')
  return safe === '' ? '_' : safe
}

function relativeFolder(folder: string, base: string): string {
  if (folder === base) return ''
  return base !== '' && folder.startsWith(`${base}/`) ? folder.slice(base.length + 1) : folder
}

/** Systems that ignore case take two such names for one. */
const keyOf = (path: string): string => path.normalize('NFC').toLowerCase()

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function numbered(path: string, number: number): string {
  const dot = path.lastIndexOf('.')
  const end = dot > path.lastIndexOf('/') + 1 ? dot : path.length
  return `${path.slice(0, end)} (${number})${path.slice(end)}`
}

/**
 * Gives each file a safe and unique name, in the order of the names. The same files always get the same names,
 * so that a client can continue after the last name that it received.
 */
export function nameEntries(files: readonly SelectedFile[], base: string): ZipEntry[] {
  const paths = files.map(({ id, folder, name }) => {
    const folders = relativeFolder(folder, base)
      .split('/')
      .filter((part) => part !== '')
    return { id, path: [...folders, name].map(safeSegment).join('/') }
  })
  // A file must not be named as a folder that holds another one.
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
