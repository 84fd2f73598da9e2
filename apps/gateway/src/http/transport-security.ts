import type { ResolvedConfig } from '@filewright/domain'

/**
 * Tells browsers to use only https. A browser applies this to the whole host, and both addresses may have the
 * same host, so both must be https.
 */
export function transportSecurity({
  BASE_URL,
  CDN_URL,
  HSTS_SECONDS
}: Pick<ResolvedConfig, 'BASE_URL' | 'CDN_URL' | 'HSTS_SECONDS'>): Record<string, string> {
  const isHttps = [BASE_URL, CDN_URL].every((url) => url.toLowerCase().startsWith('https:'))
  return isHttps && HSTS_SECONDS > 0 ? { 'strict-transport-security': `max-age=${HSTS_SECONDS}` } : {}
}
