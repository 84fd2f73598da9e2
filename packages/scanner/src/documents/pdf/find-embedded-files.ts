import { openEncryption } from './encryption.js'
import { findFilterValues } from './indirect-values.js'
import { PdfRefusal, type PdfLimits } from './limits.js'
import { findNames, type FoundName } from './names.js'
import { indexObjects, type PdfStream } from './objects.js'
import { findObjectStreams, readObjectStreams } from './object-streams.js'
import { readFiles, type EmbeddedFile, type FoundFile } from './read-files.js'
import { nameNear, numbersOf, referencesAt, type FileReference } from './references.js'
import { ENCRYPTION_NAME, FILE_TYPE_NAMES, OBJECT_STREAM_NAMES, POINTER_NAMES } from './telling-names.js'

export interface FoundFiles {
  encrypted: 'no' | 'empty-password'
  files: EmbeddedFile[]
}

/** The number of references from a file specification to its stream. */
const MAX_INDIRECTIONS = 4

/**
 * Finds every file that a reader could extract from the PDF, in any revision, and files without a reference.
 * @param names the offsets of the telling names
 * @throws PdfRefusal
 */
export async function findEmbeddedFiles(
  pdf: Buffer,
  names: FoundName[],
  limits: PdfLimits
): Promise<FoundFiles> {
  const placesOf = (...wanted: string[]): FoundName[] => names.filter(({ name }) => wanted.includes(name))
  const objects = indexObjects(pdf)
  const streams = new Map<number, FoundFile>()

  for (const { start } of placesOf(...FILE_TYPE_NAMES)) {
    const stream = objects.streamAround(start)
    if (stream !== null) add(stream, null)
  }
  // An attached PDF has a trailer of its own.
  const trailers = placesOf(ENCRYPTION_NAME).filter(({ start }) => !isInFile(start))
  const objectStreams = findObjectStreams(pdf, placesOf(...OBJECT_STREAM_NAMES), objects)
  const decryption = await openEncryption(pdf, trailers, objects, objectStreams)
  const read = { objects, decryption }

  const references: FileReference[] = []
  for (const pointer of placesOf(...POINTER_NAMES)) {
    // Strings in an encrypted file are encrypted too, except in object streams.
    const given = (name: string | null): string | null => (decryption === null ? name : null)
    references.push(...referencesAt(pdf, pointer).map(({ number, name }) => ({ number, name: given(name) })))
    for (const stream of objects.streamsBehind(pointer.end)) add(stream, given(nameNear(pdf, pointer)))
  }
  for await (const { text } of readObjectStreams(pdf, objectStreams, read)) {
    for (const pointer of findNames(text, POINTER_NAMES)) references.push(...referencesAt(text, pointer))
  }
  await follow(references, 0)

  const found = [...streams.values()]
  const values = await findFilterValues(
    found.map(({ stream: { dict } }) => dict),
    {
      objects,
      readObjectStreams: () => readObjectStreams(pdf, objectStreams, read)
    }
  )
  return {
    encrypted: decryption === null ? 'no' : 'empty-password',
    files: await readFiles(pdf, found, { values, decryption, limits })
  }

  function add(stream: PdfStream, name: string | null): void {
    streams.set(stream.start, { stream, name: streams.get(stream.start)?.name ?? name })
    if (streams.size > limits.maxFiles) throw new PdfRefusal('PdfTooManyFiles')
  }

  function isInFile(place: number): boolean {
    return [...streams.values()].some(({ stream: { start, end } }) => place >= start && place < end)
  }

  async function follow(targets: FileReference[], depth: number): Promise<void> {
    const further: FileReference[] = []
    const missing = uniqueByNumber(targets).filter(({ number, name }) => {
      const found = objects.withNumber(number)
      for (const { stream, value } of found) {
        if (stream !== null) add(stream, name)
        else further.push(...numbersOf(value).map((target) => ({ number: target, name })))
      }
      return found.length === 0
    })
    if (missing.length > 0) further.push(...(await followIntoObjectStreams(missing)))
    if (further.length > 0 && depth < MAX_INDIRECTIONS) await follow(further, depth + 1)
  }

  async function followIntoObjectStreams(targets: FileReference[]): Promise<FileReference[]> {
    const further: FileReference[] = []
    for await (const { find } of readObjectStreams(pdf, objectStreams, read)) {
      for (const { number, name } of targets) {
        const value = find(number)
        if (value !== null) further.push(...numbersOf(value).map((target) => ({ number: target, name })))
      }
    }
    return further
  }
}

function uniqueByNumber(references: FileReference[]): FileReference[] {
  return [...new Map(references.map((reference) => [reference.number, reference])).values()]
}
