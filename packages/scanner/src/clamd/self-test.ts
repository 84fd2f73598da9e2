import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { AppError } from '@filewright/runtime'
import { clamdVersion } from './clamscan-client.js'
import type { ClamdAddress } from './clamd-address.js'
import { instream, type InstreamTimeouts } from './instream.js'
import { parseReply, type ClamdFinding, type ClamdVersion } from './reply.js'

/** Assembled at run time, so that no scanner reports this source as the test virus. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)', '7CC)7}$', 'EICAR-STANDARD', '-ANTIVIRUS-', 'TEST-FILE!$H+H*'].join(
  ''
)
const BASELINE_MARKER = ['FILEWRIGHT-SCANNER', '-TEST-MARKER-', '7d1c0b52e84f4a0f9a'].join('')

export interface SelfTestOptions {
  address: ClamdAddress
  timeouts: InstreamTimeouts
  signal?: AbortSignal | undefined
}

export interface SelfTestResult extends ClamdVersion {
  /**
   * Whether the signatures of infra/clamav are loaded. With them, clamd also scans web pages unmodified, not
   * only a normalized copy.
   */
  baseline: boolean
}

/** clamd replies, but misses a virus or reports a clean file as infected. This is worse than no reply. */
export class UntrustworthyClamdError extends AppError {
  constructor(message: string) {
    super('SCAN_UNAVAILABLE', message, { retryable: true })
    this.name = 'UntrustworthyClamdError'
  }
}

export async function runSelfTest({ address, timeouts, signal }: SelfTestOptions): Promise<SelfTestResult> {
  const look = async (sample: string): Promise<ClamdFinding> => {
    return parseReply(await instream(Readable.from([Buffer.from(sample)]), { address, timeouts, signal }))
  }
  const version = await clamdVersion({ address, timeoutMs: timeouts.connectMs + timeouts.idleMs, signal })
  if ((await look(EICAR)).verdict !== 'infected') {
    throw new UntrustworthyClamdError('clamd did not find the EICAR test virus')
  }
  // Unique each time: clamd caches clean files.
  const clean = await look(`a clean sample ${randomUUID()}`)
  if (clean.verdict !== 'clean') {
    throw new UntrustworthyClamdError(`clamd reported a clean sample as ${clean.signature}`)
  }
  return {
    ...version,
    baseline: (await look(`<html><body>${BASELINE_MARKER}</body></html>`)).verdict === 'infected'
  }
}
