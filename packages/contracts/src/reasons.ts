import type { AiRejectionCode, RejectionCode } from './rejections.js'
import { sentences } from './sentences.js'

/** What a client knows about a refused or failed request. */
export interface FailureFacts {
  /** The service's sentence. */
  message: string
  /** The code in X-Rejection, or the client's own code for the status. */
  code: string
  status?: number | undefined
  /** From X-Rejection. */
  reason?: string | undefined
  /** From X-Request-Id. */
  requestId?: string | undefined
  /** From Retry-After. */
  retryAfterMs?: number | undefined
}

export type ReasonCode =
  | RejectionCode
  | AiRejectionCode
  | 'unauthorized'
  | 'forbidden'
  | 'too-many-requests'
  | 'still-running'

export interface Reason {
  /** Without a full stop, so that the service's own reason can follow. */
  title: string
  /** What to do next, after a semicolon. */
  advice?: string
  /** False for an outcome that is not a failure. */
  isFailure?: boolean
}

/** The text for every failure reason, as shown by the console and the command line. */
export const reasons: Record<ReasonCode, Reason> = {
  'too-large': { title: 'The file is too large' },
  'unsupported-type': { title: 'Unsupported kind of file' },
  'missing-file': { title: 'The file did not arrive', advice: 'try again' },
  'malformed-form': { title: 'The upload arrived damaged', advice: 'try again' },
  'password-protected': { title: 'Password-protected', advice: 'remove the password first' },
  malware: { title: 'Malware was found in the file' },
  unscannable: { title: 'The file cannot be scanned' },
  withdrawn: { title: 'The file was withdrawn' },
  'malformed-body': { title: 'The request arrived damaged', advice: 'try again' },
  'invalid-field': { title: 'The request is not valid' },
  'too-long': { title: 'Too long' },
  'syntax-error': { title: 'Syntax error' },
  'no-parser': { title: 'No parser for this language' },
  'nothing-to-improve': { title: 'No safe improvement', isFailure: false },
  'no-safe-rewrite': { title: 'No safe rewrite' },
  'several-files': { title: 'The model wrote several files', advice: 'ask for one of them' },
  'several-parts': { title: 'The model wrote several pieces of code', advice: 'ask for one of them' },
  'missing-module': { title: 'The code of the model misses a module', advice: 'change the prompt' },
  'other-language': {
    title: 'The model answered in another language or for another framework',
    advice: 'try again'
  },
  'unusable-answer': {
    title: 'The model gave no usable answer',
    advice: 'try again or change the prompt'
  },
  unauthorized: {
    title: 'The service does not accept the token',
    advice: 'it may be mistyped, expired or revoked'
  },
  forbidden: { title: 'The token does not open this project' },
  'too-many-requests': { title: 'Rate limit reached', advice: 'try again in a minute' },
  'still-running': { title: 'The service still works on the interrupted attempt', advice: 'try again' }
}

const secondsOf = (ms: number): string => `${Math.max(1, Math.ceil(ms / 1_000))} s`

function reasonOf({ code, message }: FailureFacts): Reason | undefined {
  // For a quota, the message names the exceeded limit.
  if (code === 'forbidden' && message !== sentences.forbidden) return undefined
  return Object.hasOwn(reasons, code) ? reasons[code as ReasonCode] : undefined
}

/** The operator has not turned this on, and the message already says so. */
const NOT_IMPLEMENTED = 501

/** A person who reports the problem needs the id to find it in the log. */
const isUnexplained = ({ status = 0, reason }: FailureFacts): boolean =>
  status >= 500 && status !== NOT_IMPLEMENTED && reason === undefined

/**
 * What happened, why, and what to do next, without a full stop. Includes everything that the service said:
 * its reason, how long to wait, and the request id if only the log has more details.
 */
export function explainFailure(facts: FailureFacts): string {
  const { message, reason, requestId, retryAfterMs } = facts
  const known = reasonOf(facts)
  const advice = retryAfterMs === undefined ? known?.advice : `try again in ${secondsOf(retryAfterMs)}`
  const title =
    known?.title ??
    (advice === undefined ? message : message.replace(/,? try again.*$/, '')).replace(/\.$/, '')
  const isRepeated = reason === undefined || title.toLowerCase().includes(reason.toLowerCase())
  return [
    title,
    isRepeated ? '' : `: ${reason}`,
    advice === undefined ? '' : `; ${advice}`,
    requestId !== undefined && isUnexplained(facts) ? ` (request ${requestId})` : ''
  ].join('')
}

export const isFailure = (facts: FailureFacts): boolean => reasonOf(facts)?.isFailure ?? true

/** Shown while bulk work leaves room for other requests of the same user. */
export const paceNote = (pauseMs: number): string =>
  `Leaving room for your other requests; continuing in ${secondsOf(pauseMs)}`

/** Shown while a client waits for its next attempt. */
export const rateLimitNote = (pauseMs: number): string =>
  `${reasons['too-many-requests'].title}; continuing in ${secondsOf(pauseMs)}`
