import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  MAX_KEYS_CHARS,
  MAX_RECEIPT_CHARS,
  readTrustedKeys,
  verifyReceipt,
  type VerifiedReceipt
} from '@filewright/client'
import { exitCodes, Failure } from '../failure.js'
import { jsonText, type Io } from '../io.js'
import { shownPath } from '../local-files.js'

export interface VerifyFlags {
  receipt: string
  key: string
  json?: boolean
}

/** Reads at most one byte more than is accepted: a device or a huge file must not fill the memory. */
async function readSmall(path: string, maxBytes: number): Promise<string> {
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(maxBytes + 1)
    let length = 0
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length)
      length += bytesRead
      if (bytesRead === 0 || length === buffer.length) return buffer.toString('utf8', 0, length)
    }
  } finally {
    await file.close()
  }
}

async function hashFile(path: string): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    size += chunk.length
  }
  return { sha256: hash.digest('hex'), size }
}

const minute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`

function signaturesOf({ signatures: { version, date, local } }: VerifiedReceipt): string {
  if (version === null) {
    return local === null
      ? 'unknown signatures'
      : `local signatures ${local} only, not with ClamAV's official ones`
  }
  return `signatures ${version}${date === null ? '' : ` of ${minute(date)}`}`
}

/** Verifies hash, size, signature and verdict offline. */
export async function verify(
  io: Io,
  file: string,
  { receipt, key, json = false }: VerifyFlags
): Promise<void> {
  for (const each of [file, key, receipt]) {
    // Checked here, because the read error of a folder would not name it. A pipe is read like a file.
    if ((await stat(resolve(io.cwd, each))).isDirectory()) {
      throw new Failure(`${each} is a folder; name a file`, exitCodes.usage)
    }
  }
  const path = resolve(io.cwd, file)
  const keys = readTrustedKeys(await readSmall(resolve(io.cwd, key), MAX_KEYS_CHARS))
  const verified = verifyReceipt(await readSmall(resolve(io.cwd, receipt), MAX_RECEIPT_CHARS), keys)
  const { sha256, size } = await hashFile(path)
  const shown = shownPath(io.cwd, path)
  if (size !== verified.size || sha256 !== verified.sha256) {
    throw new Failure(`${shown} is not the file of the receipt: its bytes differ`)
  }
  if (json) {
    io.out(jsonText({ path, verdict: 'clean', ...verified }))
    return
  }
  io.out(
    `${shown}: clean on ${minute(verified.scannedAt)}, scanned by ${verified.engine} with ${signaturesOf(verified)}\n` +
      `Installation ${verified.installation}, key ${verified.kid}\n`
  )
}
