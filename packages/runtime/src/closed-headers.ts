/**
 * The headers of an answer for programs: no browser guesses its type, runs or frames it, keeps it, or tells
 * others where it was found. An answer that is made to be shown or kept says otherwise itself.
 */
export const closedHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store'
} as const
