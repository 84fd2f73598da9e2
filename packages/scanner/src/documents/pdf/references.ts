import { PDFArray, PDFDict, PDFHexString, PDFRef, PDFString, type PDFObject } from '@cantoo/pdf-lib'
import { findNames, type FoundName } from './names.js'
import { parseValue } from './objects.js'

export interface FileReference {
  number: number
  /** The name in the file specification; null if it is missing or unreadable. */
  name: string | null
}

/** How many bytes of a value are searched. */
const VALUE_BYTES = 64 * 1024
/** The file name may be this far from a pointer. */
const NAME_BYTES = 1024

/** The objects that a pointer in the text refers to. */
export function referencesAt(text: Buffer, pointer: FoundName): FileReference[] {
  const numbers = numbersIn(text.subarray(pointer.end, pointer.end + VALUE_BYTES))
  if (numbers.length === 0) return []
  const name = nameNear(text, pointer)
  return numbers.map((number) => ({ number, name }))
}

function numbersIn(text: Buffer): number[] {
  const value = parseValue(text)
  if (value !== null) return numbersOf(value)
  // The standard does not allow this form, but some readers accept it.
  const [rest = ''] = text.toString('latin1', 0, NAME_BYTES).split(/end(?:obj|stream)/, 1)
  const references = rest.matchAll(/(\d{1,10})\s+\d{1,5}\s+R/g)
  return [...references].map(([, number]) => Number(number))
}

/** The numbers of all references in the value. */
export function numbersOf(value: PDFObject): number[] {
  if (value instanceof PDFRef) return [value.objectNumber]
  if (value instanceof PDFArray) return value.asArray().flatMap(numbersOf)
  return value instanceof PDFDict ? value.values().flatMap(numbersOf) : []
}

/** For display only: a nearer name of another file does no harm. */
export function nameNear(text: Buffer, pointer: FoundName): string | null {
  const from = Math.max(0, pointer.start - NAME_BYTES)
  const around = text.subarray(from, pointer.end + NAME_BYTES)
  const distance = ({ start }: FoundName): number => Math.abs(from + start - pointer.start)
  const names = findNames(around, ['UF', 'F']).sort((a, b) => distance(a) - distance(b))
  const texts = names.map(({ end }) => textOf(parseValue(around.subarray(end))))
  return texts.find((text) => text !== null) ?? null
}

function textOf(value: PDFObject | null): string | null {
  if (!(value instanceof PDFString || value instanceof PDFHexString)) return null
  try {
    return value.decodeText().replace(/\p{C}/gu, '').slice(0, 255)
  } catch {
    return null
  }
}
