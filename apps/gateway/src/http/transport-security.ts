import type { ResolvedConfig } from '@filewright/domain'

/**
 * Tells browsers to come by https only. Both addresses may be names of this gateway, and a browser keeps the
 * promise for a name: so only if both are https.
 */
export function transportSecurity({
  BASE_URL,
  CDN_URL,
  HSTS_SECONDS
}: Pick<ResolvedConfig, 'BASE_URL' | 'CDN_URL' | 'HSTS_SECONDS'>): Record<string, string> {
  const isHttps = [BASE_URL, CDN_URL].every((url) => url.toLowerCase().startsWith('https:'))
  return isHttps && HSTS_SECONDS > 0 ? { 'strict-transport-security': `max-age=${HSTS_SECONDS}` } : {}
}
