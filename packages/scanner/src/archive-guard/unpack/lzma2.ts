import { setImmediate } from 'node:timers/promises'
import type { Reservation } from '../budget.js'
import { Refusal } from '../guard-result.js'
import type { SequentialReader } from '../sequential-reader.js'
import { createLzma, type Dictionary } from './lzma.js'

const FIRST_DICTIONARY_BYTES = 256 * 1024

/** Reads exactly that much. */
export async function readExactly (reader: SequentialReader, length: number): Promise<Buffer> {
  const bytes = await reader.read(length)
  if (bytes.length < length) throw new Refusal('XzBroken')
  return bytes
}

/** Lets others have their turn after each chunk, which unpacks to 2 MiB at most. @param memory for the dictionary. */
export async function * lzma2Unpacked (reader: SequentialReader, dictionaryBytes: number, memory: Reservation): AsyncGenerator<Buffer, void, undefined> {
  const dictionary: Dictionary = { bytes: Buffer.alloc(0), at: 0, filledBytes: 0 }
  const lzma = createLzma(dictionary)
  let needs: 'dictionary' | 'properties' | 'nothing' = 'dictionary'

  async function growFor (chunkBytes: number): Promise<void> {
    const { bytes, at, filledBytes } = dictionary
    if (bytes.length === dictionaryBytes || filledBytes + chunkBytes < bytes.length) return
    let grown = Math.max(bytes.length, FIRST_DICTIONARY_BYTES)
    while (grown <= filledBytes + chunkBytes) grown *= 2
    grown = Math.min(grown, dictionaryBytes)
    await memory.grow(grown - bytes.length)
    dictionary.bytes = Buffer.alloc(grown)
    bytes.copy(dictionary.bytes, 0, 0, at)
  }

  try {
    for (;;) {
      const control = (await readExactly(reader, 1)).readUInt8()
      if (control === 0) return
      if (control > 2 && control < 0x80) throw new Refusal('XzBroken')
      if (control === 1 || control >= 0xe0) {
        dictionary.at = dictionary.filledBytes = 0
        lzma.resetPosition()
        needs = 'properties'
      }
      if (needs === 'dictionary') throw new Refusal('XzBroken')
      const sizes = await readExactly(reader, control < 0x80 ? 2 : 4)
      if (control < 0x80) {
        const stored = await readExactly(reader, sizes.readUInt16BE() + 1)
        await growFor(stored.length)
        lzma.store(stored)
        yield stored
        continue
      }
      if (control >= 0xc0) {
        lzma.setProperties((await readExactly(reader, 1)).readUInt8())
        needs = 'nothing'
      }
      if (needs === 'properties') throw new Refusal('XzBroken')
      if (control >= 0xa0) lzma.resetState()
      const out = Buffer.allocUnsafe(((control & 0x1f) << 16) + sizes.readUInt16BE() + 1)
      await growFor(out.length)
      lzma.decode(await readExactly(reader, sizes.readUInt16BE(2) + 1), out)
      yield out
      await setImmediate()
    }
  } finally {
    memory.release()
  }
}
