import type {
  ChangeWebhookRequest,
  CreateWebhookRequest,
  Delivery,
  ReplayRequest,
  Webhook,
  WebhookSecretResponse
} from '@filewright/contracts'
import {
  deleteWebhookAnswer,
  deliveriesAnswer,
  replayAnswer,
  webhookAnswer,
  webhooksAnswer,
  webhookSecretAnswer
} from './answers.js'
import { queryOf } from './files.js'
import type { CallOptions, Transport } from './transport.js'

export interface DeliveryListOptions extends CallOptions {
  state?: Delivery['state']
  /** Only deliveries older than this one. */
  before?: string
  limit?: number
}

/** Addresses that the events of a project are sent to. */
export interface WebhooksApi {
  /** The only response with the secret. Not retried: the service may have created the webhook. */
  create: (request: CreateWebhookRequest, options?: CallOptions) => Promise<WebhookSecretResponse['webhook']>
  list: (options: CallOptions & { projectId: string }) => Promise<Webhook[]>
  get: (id: string, options?: CallOptions) => Promise<Webhook>
  change: (id: string, changes: ChangeWebhookRequest, options?: CallOptions) => Promise<Webhook>
  delete: (id: string, options?: CallOptions) => Promise<void>
  /** Returns a new secret. The old one also signs until the overlap ends. Not retried. */
  rotate: (
    id: string,
    options?: CallOptions & { overlapHours?: number }
  ) => Promise<WebhookSecretResponse['webhook']>
  /** Newest first. */
  deliveries: (id: string, options?: DeliveryListOptions) => Promise<Delivery[]>
  /** Returns the number of events that are delivered again. Not retried. */
  replay: (id: string, request: ReplayRequest, options?: CallOptions) => Promise<number>
}

export function createWebhooksApi(transport: Transport): WebhooksApi {
  const pathOf = (id: string): string => `/api/webhooks/${encodeURIComponent(id)}`
  const once = { retries: 0 }

  return {
    create: async (request, options = {}) =>
      (await transport.post('/api/webhooks', request, webhookSecretAnswer, { ...options, ...once })).webhook,

    list: async ({ projectId, ...options }) => {
      const path = `/api/webhooks${queryOf({ project_id: projectId })}`
      return (await transport.request('GET', path, webhooksAnswer, options)).webhooks
    },

    get: async (id, options = {}) =>
      (await transport.request('GET', pathOf(id), webhookAnswer, options)).webhook,

    change: async (id, changes, options = {}) =>
      (await transport.patch(pathOf(id), changes, webhookAnswer, options)).webhook,

    delete: async (id, options = {}) => {
      await transport.request('DELETE', pathOf(id), deleteWebhookAnswer, options)
    },

    rotate: async (id, { overlapHours, ...options } = {}) => {
      const body = overlapHours === undefined ? {} : { overlap_hours: overlapHours }
      const path = `${pathOf(id)}/rotate`
      return (await transport.post(path, body, webhookSecretAnswer, { ...options, ...once })).webhook
    },

    deliveries: async (id, { state, before, limit, ...options } = {}) => {
      const path = `${pathOf(id)}/deliveries${queryOf({ state, before, limit })}`
      return (await transport.request('GET', path, deliveriesAnswer, options)).deliveries
    },

    replay: async (id, request, options = {}) =>
      (await transport.post(`${pathOf(id)}/replay`, request, replayAnswer, { ...options, ...once })).replayed
  }
}
