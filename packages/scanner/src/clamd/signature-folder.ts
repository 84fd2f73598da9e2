import { createHash } from 'node:crypto'
import { open, readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'

export interface SignatureFolderOptions {
  /** clamd's DatabaseDirectory. */
  dir: string
  /**
   * A change counts after this time. clamd has certainly loaded it then: it checks every 10 minutes
   * (SelfCheck).
   */
  settleMs: number
  now?: () => number
}

export interface SignatureFolder {
  /**
   * Identifies what clamd has loaded beyond its official database, as eight hex digits; null while the folder
   * cannot be read. Never throws.
   */
  version: () => Promise<string | null>
}

/** clamd loads files by their extension and ignores others, such as freshclam's own. */
const SIGNATURES = new Set(
  'cvd cld cud ndb ndu hdb hdu hsb hsu mdb mdu msb msu ldb ldu cfg cdb cbc crb fp sfp ign ign2 wdb pdb gdb idb ftm imp yar yara db'
    .split(' ')
    .map((name) => `.${name}`)
)
/** Official databases have their version in a header of this many bytes, and are large. */
const OFFICIAL = /\.(cvd|cld|cud)$/
const OFFICIAL_HEADER_BYTES = 512
const CHUNK_BYTES = 64 * 1024
/** Checking costs a few system calls: often enough to notice a change soon, but not at every scan. */
const LOOK_EVERY_MS = 1_000

/**
 * clamd reports only the version of the official database. Additional signatures are identified by content,
 * because the same signatures on two machines are one version, whenever they were written.
 */
export function createSignatureFolder({
  dir,
  settleMs,
  now = Date.now
}: SignatureFolderOptions): SignatureFolder {
  const hashes = new Map<string, { stamp: string; hash: string }>()
  let settled: string | null = null
  let candidate: { version: string; since: number } | undefined
  let lookedAt = -Infinity

  async function hashOf(name: string): Promise<string> {
    const path = join(dir, name)
    const { size, mtimeMs } = await stat(path)
    const stamp = `${size} ${mtimeMs}`
    const known = hashes.get(name)
    if (known?.stamp === stamp) return known.hash
    const hash = await hashFile(path, OFFICIAL.test(name) ? OFFICIAL_HEADER_BYTES : Infinity)
    hashes.set(name, { stamp, hash })
    return hash
  }

  async function look(): Promise<string> {
    const names = (await readdir(dir)).filter((name) => SIGNATURES.has(extname(name))).sort()
    const hash = createHash('sha256')
    for (const name of names) hash.update(`${name} ${await hashOf(name)}\n`)
    return hash.digest('hex').slice(0, 8)
  }

  return {
    version: async () => {
      const time = now()
      if (time - lookedAt < Math.min(LOOK_EVERY_MS, settleMs)) return settled
      lookedAt = time
      try {
        const version = await look()
        // clamd loaded these files at startup, or will load them before it replies.
        if (settled === null) settled = version
        if (version === settled) candidate = undefined
        else if (candidate?.version !== version) candidate = { version, since: time }
        else if (time - candidate.since >= settleMs) settled = version
      } catch {
        // During an update a file may vanish between two reads: the next check finds it.
      }
      return settled
    }
  }
}

async function hashFile(path: string, maxBytes: number): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES)
    for (let rest = maxBytes; rest > 0; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(rest, CHUNK_BYTES))
      if (bytesRead === 0) break
      hash.update(buffer.subarray(0, bytesRead))
      rest -= bytesRead
    }
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}
