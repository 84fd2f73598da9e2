import { storageClasses, type StorageClass } from '@filewright/blob-store'
import type { Database, Quota, QuotaRefusal, QuotaUsage, UploadQuotas, Usage } from '@filewright/db'
import { effectiveQuota, QuotaExceededError } from '@filewright/domain'
import type { Clock } from '@filewright/runtime'
import type { Principal } from '../tokens/principal.js'

export interface QuotasService {
  /** The quota that applies to an upload; null when nothing limits it. */
  quotasOf: (principal: Principal, projectId: string) => Promise<UploadQuotas | null>
  /**
   * Rejects with QUOTA_EXCEEDED when there is no room right now, which saves the work for an upload that
   * would be refused at the end. Ignores fields that are not known yet.
   */
  assertRoom: (
    principal: Principal,
    known?: { projectId?: string | undefined; sizeBytes?: number }
  ) => Promise<void>
  /** The class in which the bucket keeps new files of the project. Undefined: the bucket's own. */
  storageClassOf: (projectId: string) => Promise<StorageClass | undefined>
  /** What the token has stored, and its limits. */
  usageOf: (principal: Principal) => Promise<Usage & Quota>
  /** Why PostgreSQL refused to publish a file. */
  exceeded: (
    refusal: QuotaRefusal,
    quotas: UploadQuotas,
    upload: { principal: Principal; projectId: string }
  ) => Promise<QuotaExceededError>
}

export interface QuotasServiceDeps {
  quotas: Pick<Database['quotas'], 'ofProject' | 'usedByProject' | 'usedByToken'>
  clock: Clock
  /** Used where the operator has set no quota; 0 means no limit. */
  defaults: { project: Quota; token: Quota }
}

/** A project's settings are cached for this long, so a gateway may miss a change for that time. */
const CACHE_MS = 1_000

/** More projects than are written to within that time. Projects beyond this number are not cached. */
const MAX_CACHED = 10_000

const isLimited = ({ maxFiles, maxBytes }: Quota): boolean => maxFiles !== null || maxBytes !== null

function assertWithin(
  of: QuotaRefusal['of'],
  { maxFiles, maxBytes }: Quota,
  used: QuotaUsage,
  sizeBytes: number | undefined
): void {
  if (maxFiles !== null && used.files >= maxFiles) {
    throw new QuotaExceededError({
      of,
      unit: 'files',
      limit: maxFiles,
      isUsedUp: true,
      inTrash: used.trash.files
    })
  }
  if (maxBytes === null) return
  const isUsedUp = used.bytes >= maxBytes
  if (isUsedUp || used.bytes + (sizeBytes ?? 0) > maxBytes) {
    throw new QuotaExceededError({ of, unit: 'bytes', limit: maxBytes, isUsedUp, inTrash: used.trash.bytes })
  }
}

interface ProjectLimits {
  quota: Quota
  storageClass: StorageClass | undefined
}

export function createQuotasService({ quotas, clock, defaults }: QuotasServiceDeps): QuotasService {
  const cached = new Map<string, ProjectLimits & { until: number }>()

  async function ofProject(id: string): Promise<ProjectLimits> {
    const now = clock.now().getTime()
    const known = cached.get(id)
    if (known !== undefined && known.until > now) return known
    const settings = await quotas.ofProject(id)
    const found = {
      quota: effectiveQuota(settings, defaults.project),
      storageClass: storageClasses.find((name) => name === settings.storageClass)
    }
    if (cached.size >= MAX_CACHED) {
      for (const [other, { until }] of cached) if (until <= now) cached.delete(other)
    }
    if (cached.size < MAX_CACHED || known !== undefined) cached.set(id, { ...found, until: now + CACHE_MS })
    return found
  }

  const ofToken = ({ quota }: Principal): Quota => effectiveQuota(quota, defaults.token)

  return {
    async quotasOf(principal, projectId) {
      const { quota: project } = await ofProject(projectId)
      const found = { project, token: ofToken(principal) }
      return isLimited(found.project) || isLimited(found.token) ? found : null
    },

    storageClassOf: async (projectId) => (await ofProject(projectId)).storageClass,

    async assertRoom(principal, { projectId, sizeBytes } = {}) {
      if (projectId !== undefined) {
        const { quota } = await ofProject(projectId)
        if (isLimited(quota)) {
          assertWithin('project', quota, await quotas.usedByProject(projectId, principal.tokenId), sizeBytes)
        }
      }
      const quota = ofToken(principal)
      if (isLimited(quota)) {
        assertWithin('token', quota, await quotas.usedByToken(principal.tokenId), sizeBytes)
      }
    },

    async exceeded({ of, unit }, allowed, { principal, projectId }) {
      const { maxFiles, maxBytes } = allowed[of]
      const { trash } =
        of === 'project'
          ? await quotas.usedByProject(projectId, principal.tokenId)
          : await quotas.usedByToken(principal.tokenId)
      return new QuotaExceededError({
        of,
        unit,
        limit: (unit === 'files' ? maxFiles : maxBytes) ?? 0,
        isUsedUp: unit === 'files',
        inTrash: trash[unit]
      })
    },

    async usageOf(principal) {
      return { ...(await quotas.usedByToken(principal.tokenId)), ...ofToken(principal) }
    }
  }
}
