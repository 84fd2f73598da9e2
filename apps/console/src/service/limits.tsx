import type { JSX } from 'preact'
import { quotaText, type Allowance } from '@filewright/contracts'
import type { ServiceResponse } from '@filewright/client/browser'
import { formatBytes, formatNumber } from '../format.js'
import { serviceTexts } from './service-texts.js'

export interface LimitsProps {
  status: ServiceResponse
  /** From the newest responses, if any. */
  requests: Allowance | null
  aiRequests: Allowance | null
}

/** The rest of a limit that resets every minute. */
function leftOf(limit: number, allowance: Allowance | null): string {
  if (limit === 0) return serviceTexts.noLimit
  // Each response reports the limit that is nearest, which may be a different one.
  const isKnown = allowance !== null && allowance.limit === limit && allowance.endsAt > Date.now()
  return serviceTexts.left(formatNumber(isKnown ? allowance.left : limit), formatNumber(limit))
}

/** What is used, and how much is left where the operator has set a quota. */
function usedOf(used: number, most: number | null, format: (value: number) => string): string {
  return most === null
    ? quotaText(used, most, format)
    : serviceTexts.left(format(Math.max(0, most - used)), format(most))
}

export function Limits({ status: { limits, usage }, requests, aiRequests }: LimitsProps): JSX.Element {
  const rows: Array<[string, string]> = [
    [serviceTexts.requests, leftOf(limits.requests_per_minute, requests)],
    [serviceTexts.aiRequests, leftOf(limits.ai_requests_per_minute, aiRequests)],
    [
      serviceTexts.uploads,
      limits.uploads_at_once === 0 ? serviceTexts.noLimit : formatNumber(limits.uploads_at_once)
    ],
    [serviceTexts.fileSize, formatBytes(limits.file_bytes)],
    [serviceTexts.usedFiles(usage.max_files), usedOf(usage.files, usage.max_files, formatNumber)],
    [serviceTexts.usedBytes(usage.max_bytes), usedOf(usage.bytes, usage.max_bytes, formatBytes)]
  ]
  return (
    <section aria-labelledby="service-limits">
      <h2 id="service-limits">{serviceTexts.limits}</h2>
      <dl class="limit-list">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
