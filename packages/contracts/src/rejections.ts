/**
 * Why an upload was refused, for programs. The header `X-Rejection` carries one of these and a short reason.
 */
export const rejectionCodes = [
  'too-large',
  'unsupported-type',
  'missing-file',
  'malformed-form',
  'password-protected',
  'malware',
  'unscannable'
] as const
export type RejectionCode = (typeof rejectionCodes)[number]

export interface Rejection {
  code: RejectionCode
  /** A fragment of a sentence for people, plain ASCII: "executable files are not accepted". */
  reason: string
}
