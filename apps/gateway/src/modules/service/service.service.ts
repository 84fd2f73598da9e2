import {
  limits,
  serviceParts,
  type PartState,
  type ServicePart,
  type ServicePartName,
  type ServiceResponse
} from '@filewright/contracts'
import type { HealthEntry, HealthMonitor } from '@filewright/runtime'

export interface ServiceServiceDeps {
  health: Pick<HealthMonitor, 'report'>
  limits: { requestsPerMinute: number; aiRequestsPerMinute: number; uploadsAtOnce: number }
  admin: { host: string; port: number }
}

export interface ServiceService {
  status: () => ServiceResponse
}

/** The monitor's checks behind each part. */
const checksOf: Record<ServicePartName, readonly string[]> = {
  records: ['postgresql'],
  queue: ['redis'],
  storage: ['storage'],
  scanner: ['scan-queue', 'clamd'],
  models: ['inference-queue', 'ollama']
}

const worstFirst: readonly PartState[] = ['down', 'unknown', 'degraded', 'ok']

/** From facts alone: reasons of failures carry addresses, which are the operators' business. */
function detailOf(name: ServicePartName, entries: readonly HealthEntry[]): string | undefined {
  const facts = entries.at(-1)
  if (name === 'scanner' && facts?.engine !== undefined) {
    return facts.signatures === 'baseline only'
      ? `${String(facts.engine)}, baseline signatures only`
      : String(facts.engine)
  }
  if (name === 'models' && facts?.version !== undefined) {
    const version = String(facts.version)
    const runtime = version.includes('sandbox') ? 'sandbox' : `Ollama ${version}`
    return facts.missing_models === undefined
      ? runtime
      : `${runtime}, not installed: ${String(facts.missing_models)}`
  }
  return undefined
}

const isLoopback = (host: string): boolean => /^(127\.\d+\.\d+\.\d+|localhost|::1)$/.test(host)

/** How the service is, for its users: less than operators see, in other words. */
export function createServiceService({ health, limits: limited, admin }: ServiceServiceDeps): ServiceService {
  return {
    status: () => {
      const { status, checks } = health.report()
      const parts = serviceParts.map((name): ServicePart => {
        const entries = checksOf[name].flatMap((check) => checks[check] ?? [])
        const state = worstFirst.find((each) => entries.some((entry) => entry.state === each)) ?? 'unknown'
        const detail = detailOf(name, entries)
        return { name, state, ...(detail === undefined ? {} : { detail }) }
      })
      return {
        status,
        parts,
        limits: {
          requests_per_minute: limited.requestsPerMinute,
          ai_requests_per_minute: limited.aiRequestsPerMinute,
          uploads_at_once: limited.uploadsAtOnce,
          file_bytes: limits.fileSizeBytes
        },
        ...(isLoopback(admin.host) ? { dashboard_url: `http://127.0.0.1:${admin.port}/queues` } : {})
      }
    }
  }
}
