import { limits } from '@filewright/contracts'
import type { Database, EventPosition, WebhookChanges, WebhookEndpointRecord } from '@filewright/db'
import { AppError, createId, InvalidFieldError } from '@filewright/runtime'
import type { Static, TObject } from '@filewright/schema'
import {
  addressPolicyOf,
  createResolve,
  createSecret,
  createSecretBox,
  hostOf,
  parseEndpointUrl,
  RefusedUrlError,
  resolveAllowed,
  type SecretBox,
  type webhookConfig
} from '@filewright/webhooks'

export interface NewWebhook {
  /** Null for an operator's webhook, which receives events of every project and of the service. */
  projectId: string | null
  /**
   * Null if no token set the address. Then it receives no events of generations, unless it is an operator's.
   */
  tokenId: string | null
  url: string
  events: string[]
  description: string
}

/** The only result that contains the secret. */
export interface WithSecret {
  webhook: WebhookEndpointRecord
  secret: string
}

/** One event, or those of a time range. */
export interface Replay {
  event: EventPosition | null
  from: Date | null
  to: Date | null
}

/**
 * Operations on webhooks, for the gateway and for operators' commands. Callers check access themselves. Null
 * means that the webhook does not exist.
 */
export interface WebhookEndpoints {
  create: (webhook: NewWebhook) => Promise<WithSecret>
  change: (id: string, changes: WebhookChanges, tokenId: string) => Promise<WebhookEndpointRecord | null>
  rotate: (id: string, overlapHours: number, tokenId: string) => Promise<WithSecret | null>
  /** Returns the number of events that are delivered again. */
  replay: (id: string, replay: Replay, tokenId: string) => Promise<number>
}

export interface WebhookEndpointsDeps {
  webhooks: Pick<Database['webhooks'], 'create' | 'change' | 'rotate'>
  deliveries: Pick<Database['deliveries'], 'replay'>
  /** Without WEBHOOK_KEY no webhook can be created. */
  config: Static<TObject<typeof webhookConfig>>
}

export function createWebhookEndpoints({
  webhooks,
  deliveries,
  config
}: WebhookEndpointsDeps): WebhookEndpoints {
  const policy = addressPolicyOf(config)
  const resolve = createResolve()
  const secrets = config.WEBHOOK_KEY === undefined ? null : createSecretBox(config.WEBHOOK_KEY)

  function box(): SecretBox {
    if (secrets === null) throw new AppError('WEBHOOKS_OFF', 'WEBHOOK_KEY is not set')
    return secrets
  }

  /** The same check as for a delivery. A name that does not resolve yet is accepted. */
  async function assertReachable(url: string): Promise<void> {
    try {
      const host = hostOf(parseEndpointUrl(url, policy))
      await resolveAllowed(host, policy, resolve)
    } catch (error) {
      if (error instanceof RefusedUrlError) throw new InvalidFieldError('url', error.message)
    }
  }

  return {
    async create(given) {
      const sealing = box()
      await assertReachable(given.url)
      const [id, secret] = [createId(), createSecret()]
      const endpoint = { ...given, id, secret: sealing.seal(secret, id) }
      const webhook = await webhooks.create(endpoint, limits.webhooksPerProject)
      if (webhook === null) {
        const owner = given.projectId === null ? 'the operator' : `project ${given.projectId}`
        throw new AppError('WEBHOOK_LIMIT', `${owner} has ${limits.webhooksPerProject} webhooks already`)
      }
      return { webhook, secret }
    },

    async change(id, changes, tokenId) {
      if (changes.url !== undefined) await assertReachable(changes.url)
      return await webhooks.change(id, changes, tokenId)
    },

    async rotate(id, overlapHours, tokenId) {
      const secret = createSecret()
      const sealed = box().seal(secret, id)
      const webhook = await webhooks.rotate(id, { secret: sealed, overlapHours }, tokenId)
      return webhook === null ? null : { webhook, secret }
    },

    replay: async (id, replay, tokenId) =>
      await deliveries.replay({ endpointId: id, ...replay, limit: limits.replayedEvents }, tokenId)
  }
}
