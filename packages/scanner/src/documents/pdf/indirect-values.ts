import { PDFArray, PDFDict, PDFName, PDFRef, type PDFObject } from '@cantoo/pdf-lib'
import { PdfRefusal } from './limits.js'
import type { ObjectStream } from './object-streams.js'
import type { PdfObjects } from './objects.js'

export type Resolve = (value: PDFObject | undefined) => PDFObject | undefined

/** All values of each object number. Every revision counts, because a reader's table may choose any. */
export type IndirectValues = ReadonlyMap<number, readonly PDFObject[]>

const MAX_INDIRECTIONS = 8
/** A file with more interpretations of its filters was made to confuse. */
const MAX_WAYS = 16
const FILTER_KEYS = ['Filter', 'F', 'DecodeParms', 'DP'].map((key) => PDFName.of(key))

/** Where to search for objects: in the file itself, and in its object streams. */
export interface ValueSources {
  objects: Pick<PdfObjects, 'withNumber'>
  readObjectStreams: () => AsyncIterable<ObjectStream>
}

/** Finds the values that the filters of these streams refer to. */
export async function findFilterValues(
  dicts: PDFDict[],
  { objects, readObjectStreams }: ValueSources
): Promise<IndirectValues> {
  const values = new Map<number, PDFObject[]>()
  let wanted = dicts.flatMap(filterReferences)
  for (let depth = 0; depth < MAX_INDIRECTIONS; depth++) {
    const numbers = [...new Set(wanted)].filter((number) => !values.has(number))
    if (numbers.length === 0) return values
    for (const number of numbers) {
      values.set(
        number,
        objects.withNumber(number).map(({ value }) => value)
      )
    }
    for await (const { find } of readObjectStreams()) {
      for (const number of numbers) {
        const value = find(number)
        if (value !== null) values.get(number)?.push(value)
      }
    }
    wanted = numbers.flatMap((number) => (values.get(number) ?? []).flatMap(referencesIn))
  }
  return values
}

/** Returns every way to read the filters of a stream. @throws PdfRefusal if there are too many */
export function waysToResolve(dict: PDFDict, values: IndirectValues): Resolve[] {
  let choices: Array<Map<number, PDFObject>> = [new Map()]
  for (const number of reachableFrom(dict, values)) {
    const candidates = different(values.get(number) ?? [])
    if (candidates.length === 0) continue
    choices = choices.flatMap((choice) => candidates.map((value) => new Map(choice).set(number, value)))
    if (choices.length > MAX_WAYS) throw new PdfRefusal('PdfTooComplex')
  }
  return choices.map((choice) => (value) => {
    let target = value
    for (let step = 0; target instanceof PDFRef && step < MAX_INDIRECTIONS; step++) {
      target = choice.get(target.objectNumber)
    }
    return target
  })
}

function reachableFrom(dict: PDFDict, values: IndirectValues): Set<number> {
  const reached = new Set(filterReferences(dict))
  // A set may grow during its iteration.
  for (const number of reached) {
    for (const value of values.get(number) ?? []) {
      referencesIn(value).forEach((further) => reached.add(further))
    }
  }
  return reached
}

function filterReferences(dict: PDFDict): number[] {
  return FILTER_KEYS.flatMap((key) => {
    const value = dict.get(key)
    return value === undefined ? [] : referencesIn(value)
  })
}

function referencesIn(value: PDFObject): number[] {
  if (value instanceof PDFRef) return [value.objectNumber]
  if (value instanceof PDFArray) return value.asArray().flatMap(referencesIn)
  return value instanceof PDFDict ? value.values().flatMap(referencesIn) : []
}

function different(values: readonly PDFObject[]): PDFObject[] {
  return [...new Map(values.map((value) => [value.toString(), value])).values()]
}
