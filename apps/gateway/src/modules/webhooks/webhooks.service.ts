import { limits } from '@filewright/contracts'
import type {
  Database,
  DeliveryRecord,
  DeliveryState,
  EventPosition,
  WebhookChanges,
  WebhookEndpointRecord
} from '@filewright/db'
import { AppError, createId, InvalidFieldError, isId } from '@filewright/runtime'
import {
  createSecret,
  hostOf,
  parseEndpointUrl,
  RefusedUrlError,
  resolveAllowed,
  type AddressPolicy,
  type Resolve,
  type SecretBox
} from '@filewright/webhooks'
import { canAccess, type Principal } from '../tokens/principal.js'

export type ProjectWebhook = WebhookEndpointRecord & { projectId: string }
export interface NewWebhook {
  projectId: string
  url: string
  events: string[]
  description: string
}
export interface ListDeliveries {
  before: string | null
  limit: number
  state: DeliveryState | null
}
export interface Replay {
  event: EventPosition | null
  from: Date | null
  to: Date | null
}

export interface WebhooksService {
  create: (principal: Principal, webhook: NewWebhook) => Promise<{ webhook: ProjectWebhook; secret: string }>
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
  webhooks: Database['webhooks']
  deliveries: Pick<Database['deliveries'], 'list' | 'replay'>
  policy: AddressPolicy
  resolve: Resolve
  /** Null without WEBHOOK_KEY, which turns webhooks off. */
  secrets: SecretBox | null
  relay: { wake: () => void }
}

export function createWebhooksService(deps: WebhooksServiceDeps): WebhooksService {
  const { webhooks, deliveries, policy, resolve, secrets, relay } = deps

  function box(): SecretBox {
    if (secrets === null) throw new AppError('WEBHOOKS_OFF', 'WEBHOOK_KEY is not set')
    return secrets
  }

  /**
   * Applies the same rules as a delivery. A name that does not resolve now may resolve later, so it is
   * accepted.
   */
  async function assertReachable(url: string): Promise<void> {
    try {
      const host = hostOf(parseEndpointUrl(url, policy))
      await resolveAllowed(host, policy, resolve)
    } catch (error) {
      if (error instanceof RefusedUrlError) throw new InvalidFieldError('url', error.message)
    }
  }

  /** A webhook of another project looks like one that does not exist. */
  async function find(principal: Principal, id: string): Promise<ProjectWebhook> {
    const found = isId(id) ? await webhooks.find(id, principal.tokenId) : null
    return owned(principal, id, found)
  }

  function owned(principal: Principal, id: string, found: WebhookEndpointRecord | null): ProjectWebhook {
    if (found === null || found.projectId === null || !canAccess(principal, found.projectId)) {
      throw new AppError('WEBHOOK_NOT_FOUND', `no webhook ${id}`)
    }
    return { ...found, projectId: found.projectId }
  }

  function assertProject(principal: Principal, projectId: string): void {
    if (canAccess(principal, projectId)) return
    throw new AppError('FORBIDDEN', `token ${principal.tokenId} may not see the project's webhooks`)
  }

  return {
    async create(principal, { projectId, url, events, description }) {
      assertProject(principal, projectId)
      const sealing = box()
      await assertReachable(url)
      const { tokenId } = principal
      const [id, secret] = [createId(), createSecret()]
      const endpoint = { id, projectId, tokenId, url, events, description, secret: sealing.seal(secret, id) }
      const webhook = await webhooks.create(endpoint, limits.webhooksPerProject)
      if (webhook === null) throw new AppError('WEBHOOK_LIMIT', `${projectId} has too many webhooks`)
      return { webhook: owned(principal, id, webhook), secret }
    },

    get: find,

    async list(principal, projectId) {
      assertProject(principal, projectId)
      const found = await webhooks.list(projectId, principal.tokenId)
      return found.map((webhook) => ({ ...webhook, projectId }))
    },

    async change(principal, id, changes) {
      await find(principal, id)
      if (changes.url !== undefined) await assertReachable(changes.url)
      const changed = owned(principal, id, await webhooks.change(id, changes, principal.tokenId))
      relay.wake()
      return changed
    },

    async rotate(principal, id, overlapHours) {
      await find(principal, id)
      const secret = createSecret()
      const sealed = box().seal(secret, id)
      const rotated = await webhooks.rotate(id, { secret: sealed, overlapHours }, principal.tokenId)
      return { webhook: owned(principal, id, rotated), secret }
    },

    async remove(principal, id) {
      await find(principal, id)
      if (!(await webhooks.remove(id, principal.tokenId))) owned(principal, id, null)
    },

    async deliveries(principal, id, options) {
      await find(principal, id)
      return await deliveries.list({ endpointId: id, ...options }, principal.tokenId)
    },

    async replay(principal, id, replay) {
      await find(principal, id)
      const options = { endpointId: id, ...replay, limit: limits.replayedEvents }
      const count = await deliveries.replay(options, principal.tokenId)
      relay.wake()
      return count
    }
  }
}
