// A field of an object's own can be a length that is not known yet, which is often written as -1.
const lengthText = String.raw`(?:\b(?:len|cap)\([\w.]+\)|(?!self\.|this\.)\b[\w.]+\.(?:length|size\(\)|length\(\)))`
const belowZero = new RegExp(String.raw`^(?:${lengthText}\s*(?:<|>=)\s*0|0\s*(?:>|<=)\s*${lengthText})$`)

/** `list.length < 0` and `list.length >= 0`: a length is never negative, so neither asks anything. */
export function comparesLengthSign(comparison: string): boolean {
  return belowZero.test(comparison)
}

export const lengthSign = {
  sentence: 'A length is never negative, so this comparison always has the same result.',
  suggestion: 'Use > 0 for a non-empty value, or == 0 for an empty one.'
} as const
