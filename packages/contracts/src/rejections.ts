/**
 * Why a file was refused, for programs. The header `X-Rejection` contains one of these and a short reason.
 */
export const rejectionCodes = [
  'too-large',
  'unsupported-type',
  'missing-file',
  'malformed-form',
  'password-protected',
  'malware',
  'unscannable',
  'withdrawn'
] as const
export type RejectionCode = (typeof rejectionCodes)[number]

export interface Rejection {
  code: RejectionCode
  /** A fragment of a sentence for people, in plain ASCII: "executable files are not accepted". */
  reason: string
}

/** Why an AI request was refused, in the same header. */
export const aiRejectionCodes = [
  'malformed-body',
  'invalid-field',
  'too-long',
  'syntax-error',
  'no-parser',
  'nothing-to-improve',
  'no-safe-rewrite',
  'several-files',
  'several-parts',
  'missing-module',
  'other-language',
  'unusable-answer'
] as const
export type AiRejectionCode = (typeof aiRejectionCodes)[number]

export interface AiRejection {
  code: AiRejectionCode
  /** A fragment of a sentence for people, in plain ASCII: "model must be one of alpha-4o, beta-3". */
  reason: string
}
