import type {
  Database,
  DeliveryRecord,
  DeliveryState,
  WebhookChanges,
  WebhookEndpointRecord
} from '@filewright/db'
import type { NewWebhook, Replay, WebhookEndpoints } from '@filewright/domain'
import { AppError, isId } from '@filewright/runtime'
import { canAccess, type Principal } from '../tokens/principal.js'

export type ProjectWebhook = WebhookEndpointRecord & { projectId: string }
export type NewProjectWebhook = Omit<NewWebhook, 'projectId' | 'tokenId'> & { projectId: string }
export interface ListDeliveries {
  before: string | null
  limit: number
  state: DeliveryState | null
}

export interface WebhooksService {
  create: (
    principal: Principal,
    webhook: NewProjectWebhook
  ) => Promise<{ webhook: ProjectWebhook; secret: string }>
  get: (principal: Principal, id: string) => Promise<ProjectWebhook>
  list: (principal: Principal, projectId: string) => Promise<ProjectWebhook[]>
  change: (principal: Principal, id: string, changes: WebhookChanges) => Promise<ProjectWebhook>
  rotate: (
    principal: Principal,
    id: string,
    overlapHours: number
  ) => Promise<{ webhook: ProjectWebhook; secret: string }>
  remove: (principal: Principal, id: string) => Promise<void>
  deliveries: (principal: Principal, id: string, options: ListDeliveries) => Promise<DeliveryRecord[]>
  replay: (principal: Principal, id: string, replay: Replay) => Promise<number>
}

export interface WebhooksServiceDeps {
  webhooks: Pick<Database['webhooks'], 'find' | 'list' | 'remove'>
  deliveries: Pick<Database['deliveries'], 'list'>
  endpoints: WebhookEndpoints
  relay: { wake: () => void }
}

const absent = (id: string): AppError => new AppError('WEBHOOK_NOT_FOUND', `no webhook ${id}`)

/** Webhooks of projects, for the tokens of those projects. */
export function createWebhooksService(deps: WebhooksServiceDeps): WebhooksService {
  const { webhooks, deliveries, endpoints, relay } = deps

  /** A webhook of another project looks like one that does not exist. */
  async function find(principal: Principal, id: string): Promise<ProjectWebhook> {
    const found = isId(id) ? await webhooks.find(id, principal.tokenId) : null
    return owned(principal, id, found)
  }

  function owned(principal: Principal, id: string, found: WebhookEndpointRecord | null): ProjectWebhook {
    if (found === null || found.projectId === null || !canAccess(principal, found.projectId)) {
      throw absent(id)
    }
    return { ...found, projectId: found.projectId }
  }

  function assertProject(principal: Principal, projectId: string): void {
    if (canAccess(principal, projectId)) return
    throw new AppError('FORBIDDEN', `token ${principal.tokenId} may not see the project's webhooks`)
  }

  return {
    async create(principal, given) {
      assertProject(principal, given.projectId)
      const { webhook, secret } = await endpoints.create({ ...given, tokenId: principal.tokenId })
      return { webhook: owned(principal, webhook.id, webhook), secret }
    },

    get: find,

    async list(principal, projectId) {
      assertProject(principal, projectId)
      const found = await webhooks.list(projectId, principal.tokenId)
      return found.map((webhook) => ({ ...webhook, projectId }))
    },

    async change(principal, id, changes) {
      await find(principal, id)
      const changed = owned(principal, id, await endpoints.change(id, changes, principal.tokenId))
      relay.wake()
      return changed
    },

    async rotate(principal, id, overlapHours) {
      await find(principal, id)
      const rotated = await endpoints.rotate(id, overlapHours, principal.tokenId)
      if (rotated === null) throw absent(id)
      return { webhook: owned(principal, id, rotated.webhook), secret: rotated.secret }
    },

    async remove(principal, id) {
      await find(principal, id)
      if (!(await webhooks.remove(id, principal.tokenId))) throw absent(id)
    },

    async deliveries(principal, id, options) {
      await find(principal, id)
      return await deliveries.list({ endpointId: id, ...options }, principal.tokenId)
    },

    async replay(principal, id, replay) {
      await find(principal, id)
      const count = await endpoints.replay(id, replay, principal.tokenId)
      relay.wake()
      return count
    }
  }
}
