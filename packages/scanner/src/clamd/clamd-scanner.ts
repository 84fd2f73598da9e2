import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { AppError, isAppError, linkSignals, type Logger } from '@filewright/runtime'
import { guardArchive } from '../archive-guard/archive-guard.js'
import { MAX_DEPTH } from '../archive-guard/budget.js'
import { heldContent, type ScanContent } from '../archive-guard/guard-result.js'
import { createHeldFiles, HELD_BYTES } from '../held-bytes.js'
import { openAbortable } from '../open-abortable.js'
import { createScanMeter } from '../scan-meter.js'
import type { ScanOptions, Scanner, ScanSource, Verdict } from '../scanner.js'
import { clamdAddress, unavailable, type ClamdAddressOptions } from './clamd-address.js'
import { createClamdHealth } from './clamd-health.js'
import { instream } from './instream.js'
import { parseReply, type ClamdFinding } from './reply.js'
import { createSessionPool } from './session-pool.js'
import { createSignatureFolder, type SignatureFolderOptions } from './signature-folder.js'
import type { SignaturePolicy } from './signature-policy.js'
import { defaultTimeouts, type ClamdTimeouts } from './timeouts.js'

export interface ClamdScannerOptions extends ClamdAddressOptions {
  logger: Logger
  timeouts?: Partial<ClamdTimeouts>
  /** clamd's own folder: signatures that an operator adds there become part of the engine's name. */
  signatures?: SignatureFolderOptions | undefined
  /** Without a policy, any signatures are accepted. */
  policy?: SignaturePolicy | undefined
}

/** Abort listeners of the scan itself and of its caller; each nested archive adds one. */
const OTHER_LISTENERS = 10

export function createClamdScanner(options: ClamdScannerOptions): Scanner {
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const address = clamdAddress(options)
  const health = createClamdHealth({ address, timeouts, logger: options.logger, policy: options.policy })

  const sessions = createSessionPool({ address, timeouts })
  const heldFiles = createHeldFiles()
  const signatures = options.signatures === undefined ? undefined : createSignatureFolder(options.signatures)

  /**
   * Reads the version before the scan. If clamd loads new signatures meanwhile, the verdict counts as one by
   * the old signatures.
   */
  async function engineNow(
    signal: AbortSignal | undefined
  ): Promise<Pick<Verdict, 'engine' | 'signaturesAt'>> {
    const engine = await health.requireEngine(signal)
    const { signaturesAt = null } = health.report()
    const local = (await signatures?.version()) ?? null
    return {
      engine: local === null ? engine : `${engine} (${local})`,
      ...(signaturesAt === null ? {} : { signaturesAt })
    }
  }

  /** Scans a file found inside the file as a separate file. */
  function scanContent(signal: AbortSignal | undefined): ScanContent {
    return async (body) => {
      const finding = parseReply(await instream(body, { address, timeouts, signal }))
      if (finding.verdict !== 'clean') throw new InnerFinding(finding)
    }
  }

  async function scanHeld(
    bytes: Buffer,
    source: ScanSource,
    signal: AbortSignal | undefined
  ): Promise<string> {
    const { onChunk, onEnd } = verifying(source)
    onChunk(bytes)
    onEnd()
    return (await sessions.scan(bytes, signal)) ?? (await instream(bytes, { address, timeouts, signal }))
  }

  async function scan(source: ScanSource, { lane, signal }: ScanOptions = {}): Promise<Verdict> {
    const scannedBy = await engineNow(signal)
    // Each archive around a file may have a clamd exchange that waits for the inner file's.
    if (signal !== undefined) setMaxListeners(MAX_DEPTH + OTHER_LISTENERS, signal)
    // instream() has its own timeouts; this one limits a source that neither opens nor delivers.
    const { signal: reading, pause, clear } = createScanDeadline(signal, timeouts.totalMs)
    const meter = createScanMeter({ onWaiting: pause })
    try {
      const held =
        source.sizeBytes > 0 && source.sizeBytes <= HELD_BYTES
          ? await heldFiles.read(source, reading)
          : undefined
      const content = held === undefined ? source : heldContent(held.bytes)
      const guard = await guardArchive(content, {
        lane,
        signal: reading,
        meter,
        scanContent: scanContent(signal)
      })
      if (!guard.ok) {
        const signature = `Filewright.Archive.${guard.reason}`
        return { verdict: 'unscannable', signature, reason: guard.sentence, ...scannedBy, ...meter.costs() }
      }
      const reply =
        held === undefined
          ? await instream(await openAbortable(async () => await source.open(), reading), {
              address,
              timeouts,
              signal,
              ...verifying(source)
            })
          : await scanHeld(held.bytes, source, signal)
      held?.release()
      return { ...parseReply(reply), ...scannedBy, ...meter.costs() }
    } catch (error) {
      if (error instanceof InnerFinding) return { ...error.finding, ...scannedBy, ...meter.costs() }
      if (isAppError(error, 'CANCELLED') && signal?.aborted !== true) {
        throw unavailable(`the bytes to scan did not come within ${timeouts.totalMs} ms`, error)
      }
      // clamd may be down: find out now, not in five minutes.
      if (isAppError(error, 'SCAN_UNAVAILABLE')) health.suspect()
      throw error
    } finally {
      clear()
    }
  }

  return {
    scan,
    selfTest: async ({ signal } = {}) => {
      await health.selfTest(signal)
    },
    health: health.report,
    probe: async ({ signal } = {}) => await health.probe(signal),
    start: health.start,
    close: async () => {
      sessions.close()
      await health.close()
    }
  }
}

/** Ends the scan of a file because of a file inside it. */
class InnerFinding extends Error {
  readonly finding: ClamdFinding

  constructor(finding: ClamdFinding) {
    super(`found inside: ${finding.verdict}`)
    this.name = 'InnerFinding'
    this.finding = finding
  }
}

interface Deadline {
  signal: AbortSignal
  /** While the scan waits for others, its time limit is paused. */
  pause: (isWaiting: boolean) => void
  clear: () => void
}

/** Aborts with the given signal or after that long. */
function createScanDeadline(outer: AbortSignal | undefined, ms: number): Deadline {
  const { signal, abort, unlink } = linkSignals(outer)
  let endsAt = performance.now() + ms
  let timer = setTimeout(abort, ms)
  let pausedAt = 0
  return {
    signal,
    pause: (isWaiting) => {
      clearTimeout(timer)
      if (isWaiting) {
        pausedAt = performance.now()
        return
      }
      endsAt += performance.now() - pausedAt
      timer = setTimeout(abort, endsAt - performance.now())
    },
    clear: () => {
      clearTimeout(timer)
      unlink()
    }
  }
}

/** The bytes that clamd gets are counted and hashed on the way: a verdict on other bytes is worthless. */
function verifying({ sizeBytes, sha256 }: ScanSource): {
  onChunk: (chunk: Buffer) => void
  onEnd: () => void
} {
  const hash = createHash('sha256')
  let sentBytes = 0
  return {
    onChunk: (chunk) => {
      sentBytes += chunk.length
      if (sentBytes > sizeBytes) {
        throw new AppError('BLOB_CORRUPT', `more than the announced ${sizeBytes} bytes`)
      }
      hash.update(chunk)
    },
    onEnd: () => {
      if (sentBytes !== sizeBytes) {
        throw new AppError('BLOB_CORRUPT', `${sentBytes} bytes instead of ${sizeBytes}`)
      }
      const actual = hash.digest('hex')
      if (actual !== sha256) throw new AppError('BLOB_CORRUPT', `sha256 is ${actual} instead of ${sha256}`)
    }
  }
}
