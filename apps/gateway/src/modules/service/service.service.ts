import {
  limits,
  serviceParts,
  type PartNote,
  type PartState,
  type ServicePart,
  type ServicePartName,
  type ServiceResponse
} from '@filewright/contracts'
import { LOCAL_TOKEN_NAME, type HealthEntry, type HealthMonitor } from '@filewright/runtime'
import type { QuotasService } from '../quotas/quotas.service.js'
import type { Principal } from '../tokens/principal.js'

export interface ServiceServiceDeps {
  health: Pick<HealthMonitor, 'report'>
  limits: { requestsPerMinute: number; aiRequestsPerMinute: number; uploadsAtOnce: number; trashDays: number }
  quotas: Pick<QuotasService, 'usageOf'>
}

export interface ServiceService {
  status: (principal: Principal) => Promise<ServiceResponse>
}

/** The health checks behind each component. */
const checksOf: Record<ServicePartName, readonly string[]> = {
  records: ['postgresql'],
  queue: ['redis'],
  storage: ['storage'],
  scanner: ['scan-queue', 'clamd'],
  models: ['inference-queue', 'ollama']
}

const worstFirst: readonly PartState[] = ['down', 'unknown', 'degraded', 'ok']

/**
 * The effect on users. Versions, model names and failure reasons are shown only to operators: they help an
 * attacker more than a user.
 */
function noteOf(name: ServicePartName, entries: readonly HealthEntry[]): PartNote | undefined {
  const facts = entries.at(-1)
  if (name === 'scanner' && facts?.signatures === 'baseline only') return 'baseline-signatures'
  if (name !== 'models') return undefined
  if (String(facts?.version).includes('sandbox')) return 'sandbox'
  return facts?.missing_models === undefined ? undefined : 'models-missing'
}

function partOf(name: ServicePartName, checks: Readonly<Record<string, HealthEntry>>): ServicePart {
  const entries = checksOf[name].flatMap((check) => checks[check] ?? [])
  const state = worstFirst.find((each) => entries.some((entry) => entry.state === each)) ?? 'unknown'
  const note = noteOf(name, entries)
  if (note === undefined || state === 'down' || state === 'unknown') return { name, state }
  return { name, state: 'degraded', note }
}

/** The status of the service for its users: less than operators see, in different terms. */
export function createServiceService(deps: ServiceServiceDeps): ServiceService {
  const { health, limits: limited, quotas } = deps
  return {
    status: async (principal) => {
      const { status, checks } = health.report()
      const parts = serviceParts.map((name) => partOf(name, checks))
      const isWhole = parts.every(({ state }) => state === 'ok')
      const { files, bytes, maxFiles, maxBytes } = await quotas.usageOf(principal)
      return {
        // The monitor asks whether work can continue; a user asks whether anything is missing.
        status: status === 'ok' && !isWhole ? 'degraded' : status,
        parts,
        limits: {
          requests_per_minute: limited.requestsPerMinute,
          ai_requests_per_minute: limited.aiRequestsPerMinute,
          uploads_at_once: limited.uploadsAtOnce,
          file_bytes: limits.fileSizeBytes,
          trash_days: limited.trashDays
        },
        usage: { files, bytes, max_files: maxFiles, max_bytes: maxBytes },
        token: {
          id: principal.tokenId,
          name: principal.tokenName,
          is_local: principal.tokenName === LOCAL_TOKEN_NAME && principal.projects === '*',
          projects: principal.projects === '*' ? null : [...principal.projects].sort(),
          expires_at: principal.expiresAt?.toISOString() ?? null,
          is_operator: principal.isOperator
        }
      }
    }
  }
}
