/**
 * The headers of an API response: a browser must not sniff, run, frame or cache it, or send a referrer. A
 * response that is meant to be shown or cached sets its own.
 */
export const closedHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store'
} as const
