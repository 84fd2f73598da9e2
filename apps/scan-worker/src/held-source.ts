import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ScanSource } from '@filewright/scanner'

type Open = ScanSource['open']

/** The same bytes for every look, read once. One byte more than announced is read, so that a file that has grown shows. */
export function heldAfterRead (open: Open, sizeBytes: number): Open {
  let held: Promise<Buffer> | undefined
  return async (range) => {
    held ??= open({ start: 0, end: sizeBytes }).then(buffer)
    const bytes = await held
    let rest: Buffer | null = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
    return new Readable({
      read () {
        this.push(rest)
        rest = null
      }
    })
  }
}
