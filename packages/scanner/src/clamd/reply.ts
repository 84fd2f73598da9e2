import { AppError } from '@filewright/runtime'
import { unavailable } from './clamd-address.js'

export type ClamdFinding = { verdict: 'clean' } | { verdict: 'infected' | 'unscannable'; signature: string }

const FOUND = /^stream: ([\x21-\x7e]{1,200}) FOUND$/

/** Signatures that mean "could not look inside" rather than "found something". */
const NOT_LOOKED_INTO = /^(Heuristics\.(Encrypted|Limits)\.|Heuristics\.Zip\.OverlappingFiles)/

/** This limit depends on the machine's load rather than on the file. */
const OUT_OF_TIME = 'Heuristics.Limits.Exceeded.MaxScanTime'

/**
 * clamd's whole reply to one INSTREAM, without its final NUL. Anything except the two exact forms is not a
 * verdict.
 */
export function parseReply(reply: string): ClamdFinding {
  if (reply === 'stream: OK') return { verdict: 'clean' }
  const signature = FOUND.exec(reply)?.[1]
  if (signature === undefined) {
    throw unavailable(`clamd gave no verdict: ${JSON.stringify(reply.slice(0, 200))}`)
  }
  // Not retryable: the next attempt would not end before the client's deadline.
  if (signature === OUT_OF_TIME) {
    throw new AppError('SCAN_UNAVAILABLE', 'clamd did not finish within its MaxScanTime')
  }
  return { verdict: NOT_LOOKED_INTO.test(signature) ? 'unscannable' : 'infected', signature }
}

export interface ClamdVersion {
  /** As in a verdict: "ClamAV 1.4.6/27500". Without official signatures, the second number is missing. */
  engine: string
  /** When the official signatures were published; null without them. */
  signaturesAt: Date | null
}

/** "ClamAV 1.4.6/27500/Thu Nov 12 09:00:00 2026" has the engine, its signatures and their date. */
export function parseVersion(reply: string): ClamdVersion {
  const [engine = '', signatures, date = ''] = reply.trim().split('/')
  if (!/^ClamAV [\w.+-]{1,60}$/.test(engine)) {
    throw unavailable(`not a clamd: ${JSON.stringify(reply.slice(0, 200))}`)
  }
  if (signatures === undefined || !/^\d{1,9}$/.test(signatures)) return { engine, signaturesAt: null }
  // clamd reports local time without a zone. An error of a few hours does not matter, because the policy
  // counts days.
  const at = new Date(`${date} UTC`)
  return { engine: `${engine}/${signatures}`, signaturesAt: Number.isNaN(at.getTime()) ? null : at }
}
