import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** One encoding in which a text may be in a file. */
export interface Form {
  name: string
  bytes: Buffer
}

export interface CanaryMatch {
  file: string
  form: string
  /** Bytes before it. */
  offset: number
}

const CHUNK_BYTES = 8 * 1024 * 1024

/**
 * What to search for: the text itself, its JSON escapes, base64 at three offsets, hexadecimal digits and
 * UTF-16. The text is a stem that all canaries of a run share, so that one pass over a file finds any of
 * them.
 */
export function formsOf(stem: string): Form[] {
  const raw = Buffer.from(stem)
  const escaped = (digits: (hex: string) => string): string =>
    [...stem].map((char) => `\\u${digits(char.charCodeAt(0).toString(16).padStart(4, '0'))}`).join('')
  const base64 = [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), raw]).toString('base64')
    // The first and last digits also depend on their neighbours.
    const inner = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + raw.length) * 8) / 6))
    return [
      { name: `base64 at ${offset}`, text: inner },
      { name: `base64url at ${offset}`, text: inner.replaceAll('+', '-').replaceAll('/', '_') }
    ]
  })
  const utf16 = Buffer.from(stem, 'utf16le')
  return [
    { name: 'raw', bytes: raw },
    { name: 'JSON escapes', bytes: Buffer.from(escaped((hex) => hex)) },
    { name: 'JSON escapes in capitals', bytes: Buffer.from(escaped((hex) => hex.toUpperCase())) },
    ...base64
      .filter(({ name, text }) => !name.startsWith('base64url') || /[-_]/.test(text))
      .map(({ name, text }) => ({ name, bytes: Buffer.from(text) })),
    { name: 'hexadecimal', bytes: Buffer.from(raw.toString('hex')) },
    { name: 'hexadecimal in capitals', bytes: Buffer.from(raw.toString('hex').toUpperCase()) },
    { name: 'UTF-16', bytes: utf16 },
    { name: 'UTF-16 big-endian', bytes: Buffer.from(utf16).swap16() }
  ]
}

export function findForms(bytes: Buffer, forms: readonly Form[]): Array<Omit<CanaryMatch, 'file'>> {
  return forms.flatMap(({ name, bytes: wanted }) => {
    const offset = bytes.indexOf(wanted)
    return offset < 0 ? [] : [{ form: name, offset }]
  })
}

export interface Search {
  files: number
  bytes: number
  findings: CanaryMatch[]
}

/** Reads every file below the folders completely. A file that disappears meanwhile is skipped. */
export async function searchFolders(folders: readonly string[], forms: readonly Form[]): Promise<Search> {
  const search: Search = { files: 0, bytes: 0, findings: [] }
  // A match that spans two chunks is found in the second, which starts with the end of the first.
  const overlap = Math.max(...forms.map(({ bytes }) => bytes.length)) - 1
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES + overlap)
  for (const folder of folders) {
    for (const file of await filesBelow(folder)) {
      search.files++
      await searchFile(file, { forms, search, chunk, overlap })
    }
  }
  return search
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const below = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? await filesBelow(path) : entry.isFile() ? [path] : []
    })
  )
  return below.flat()
}

interface FileSearch {
  forms: readonly Form[]
  search: Search
  chunk: Buffer
  overlap: number
}

async function searchFile(file: string, { forms, search, chunk, overlap }: FileSearch): Promise<void> {
  const handle = await open(file).catch(() => null)
  if (handle === null) return
  const found = new Set<string>()
  let kept = 0
  try {
    for (let position = 0; ; ) {
      const { bytesRead } = await handle.read(chunk, kept, CHUNK_BYTES, position)
      if (bytesRead === 0) return
      const filled = chunk.subarray(0, kept + bytesRead)
      for (const { form, offset } of findForms(filled, forms)) {
        if (!found.has(form)) search.findings.push({ file, form, offset: position - kept + offset })
        found.add(form)
      }
      position += bytesRead
      search.bytes += bytesRead
      kept = Math.min(overlap, filled.length)
      filled.copy(chunk, 0, filled.length - kept)
    }
  } finally {
    await handle.close()
  }
}
