import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { serve } from '../child.js'
import { createBlockedTexts } from '../load/texts.js'
import { instream } from './instream.js'

export interface RawSpec {
  folder: string
  clamdSocket: string
  sizeBytes: number
}

export interface RawTimes {
  scanMs: number
  writeMs: number
}

/** Measures the parts alone: sending the bytes to clamd, and writing them to the disk. */
async function measure({ folder, clamdSocket, sizeBytes }: RawSpec): Promise<RawTimes> {
  const blocks = createBlockedTexts(sizeBytes)()

  const scanStart = performance.now()
  const said = await instream(clamdSocket, blocks)
  const scanMs = performance.now() - scanStart
  if (said !== 'stream: OK\0') throw new Error(said)

  const path = join(folder, 'raw')
  const writeStart = performance.now()
  const file = await open(path, 'w')
  for (const each of blocks) await file.write(each)
  await file.sync()
  await file.close()
  const writeMs = performance.now() - writeStart
  await rm(path)
  return { scanMs, writeMs }
}

serve(measure)
