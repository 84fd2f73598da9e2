import { Type } from '@filewright/schema'
import type { Quota } from '@filewright/db'
import { defaultQuotas, quotaConfig, type GatewayConfig } from '@filewright/domain'
import { loadConfig, type Environment } from '@filewright/runtime'
import { UsageError, type AdminFlags } from './command.js'

/** Binary units: 50MB is 52,428,800 bytes. */
const UNITS: Record<string, number> = { '': 1, B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 }

const COUNT = /^(\d{1,15})$/
const SIZE = /^(\d{1,15})(B|KB|MB|GB|TB)?$/i

function parseLimit(
  flag: string,
  text: string | undefined,
  pattern: RegExp,
  example: string
): number | null | undefined {
  if (text === undefined) return undefined
  if (text === 'default') return null
  if (text === 'none') return 0
  const [, digits = '', unit = ''] = pattern.exec(text) ?? []
  const limit = Number(digits) * (UNITS[unit.toUpperCase()] ?? 1)
  if (digits === '' || limit === 0 || !Number.isSafeInteger(limit)) {
    throw new UsageError(
      `--${flag} must be a whole number of at least 1, such as ${example}; or none, or default`
    )
  }
  return limit
}

/** Only the given flags. Null means the default from the settings, 0 means no limit. */
export function quotaOf(flags: AdminFlags): Partial<Quota> {
  const maxFiles = parseLimit('max-files', flags['max-files'], COUNT, '5000')
  const maxBytes = parseLimit('max-bytes', flags['max-bytes'], SIZE, '10GB')
  return { ...(maxFiles === undefined ? {} : { maxFiles }), ...(maxBytes === undefined ? {} : { maxBytes }) }
}

export function requiredQuotaOf(flags: AdminFlags): Partial<Quota> {
  const quota = quotaOf(flags)
  if (Object.keys(quota).length === 0) throw new UsageError('--max-files or --max-bytes is required')
  return quota
}

/**
 * From the settings that this command sees; the same as the gateway's when both read the same environment.
 */
export function defaultQuotasFrom(env: Environment): ReturnType<typeof defaultQuotas> {
  return defaultQuotas(
    loadConfig<Pick<GatewayConfig, keyof typeof quotaConfig>>(Type.Object(quotaConfig), env)
  )
}

export const quotaJson = ({ maxFiles, maxBytes }: Quota) => ({ max_files: maxFiles, max_bytes: maxBytes })

export const shownLimit = (limit: number | null): string => (limit === null ? 'no limit' : String(limit))

export function shownQuota({ maxFiles, maxBytes }: Quota): string {
  const shown = [
    ...(maxFiles === null ? [] : [`${maxFiles} files`]),
    ...(maxBytes === null ? [] : [`${maxBytes} bytes`])
  ]
  return shown.length === 0 ? 'no limit' : `at most ${shown.join(' and ')}`
}
