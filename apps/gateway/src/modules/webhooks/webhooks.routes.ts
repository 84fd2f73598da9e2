import type { FastifyInstance } from 'fastify'
import {
  DeleteWebhookResponse,
  DeliveriesResponse,
  ReplayResponse,
  sentences,
  WebhookResponse,
  WebhookSecretResponse,
  WebhooksResponse,
  type WebhookParams
} from '@filewright/contracts'
import { parseProjectId } from '@filewright/domain'
import { InvalidFieldError } from '@filewright/runtime'
import { acceptJson } from '../../http/json-body.js'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import { once, type Query } from '../../http/query.js'
import {
  parseListDeliveries,
  parseNewWebhook,
  parseReplay,
  parseRotation,
  parseWebhookChanges
} from './webhook-requests.js'
import * as operations from './webhooks.operations.js'
import { toDelivery, toWebhook } from './webhooks.presenter.js'
import type { ProjectWebhook, WebhooksService } from './webhooks.service.js'

export interface WebhooksRoutesOptions {
  webhooks: WebhooksService
  idleTimeoutMs: number
}

const BODY_LIMIT_BYTES = 16 * 1024

const withSecret = ({ webhook, secret }: { webhook: ProjectWebhook; secret: string }) => ({
  webhook: { ...toWebhook(webhook), secret }
})

/** Webhook endpoints of a project. The parent scope authenticates requests. */
export async function webhooksRoutes(
  app: FastifyInstance,
  { webhooks, idleTimeoutMs }: WebhooksRoutesOptions
): Promise<void> {
  acceptJson(app, { idleTimeoutMs, notUtf8: () => new InvalidFieldError('body', 'must be UTF-8') })
  const bodyLimit = BODY_LIMIT_BYTES

  app.post(
    '/webhooks',
    {
      bodyLimit,
      config: { operation: operations.createWebhook },
      schema: { response: { 201: WebhookSecretResponse } }
    },
    async (request, reply) => {
      const created = await webhooks.create(request.principal, parseNewWebhook(request.body))
      return reply.code(201).send(withSecret(created))
    }
  )

  app.get(
    '/webhooks',
    { config: { operation: operations.listWebhooks }, schema: { response: { 200: WebhooksResponse } } },
    async (request) => {
      const projectId = parseProjectId(once(request.query as Query, 'project_id'))
      return { webhooks: (await webhooks.list(request.principal, projectId)).map(toWebhook) }
    }
  )

  app.get<{ Params: WebhookParams }>(
    '/webhooks/:id',
    { config: { operation: operations.getWebhook }, schema: { response: { 200: WebhookResponse } } },
    async (request) => ({ webhook: toWebhook(await webhooks.get(request.principal, request.params.id)) })
  )

  app.patch<{ Params: WebhookParams }>(
    '/webhooks/:id',
    {
      bodyLimit,
      config: { operation: operations.changeWebhook },
      schema: { response: { 200: WebhookResponse } }
    },
    async (request) => {
      const changes = parseWebhookChanges(request.body)
      return { webhook: toWebhook(await webhooks.change(request.principal, request.params.id, changes)) }
    }
  )

  app.delete<{ Params: WebhookParams }>(
    '/webhooks/:id',
    {
      bodyLimit,
      config: { operation: operations.deleteWebhook },
      schema: { response: { 200: DeleteWebhookResponse } }
    },
    async (request) => {
      await webhooks.remove(request.principal, request.params.id)
      return { message: sentences.webhookDeleted }
    }
  )

  app.post<{ Params: WebhookParams }>(
    '/webhooks/:id/rotate',
    {
      bodyLimit,
      config: { operation: operations.rotateWebhook },
      schema: { response: { 200: WebhookSecretResponse } }
    },
    async (request) => {
      const hours = parseRotation(request.body)
      return withSecret(await webhooks.rotate(request.principal, request.params.id, hours))
    }
  )

  app.get<{ Params: WebhookParams }>(
    '/webhooks/:id/deliveries',
    { config: { operation: operations.listDeliveries }, schema: { response: { 200: DeliveriesResponse } } },
    async (request) => {
      const options = parseListDeliveries(request.query as Query)
      const found = await webhooks.deliveries(request.principal, request.params.id, options)
      return { deliveries: found.map(toDelivery) }
    }
  )

  app.post<{ Params: WebhookParams }>(
    '/webhooks/:id/replay',
    {
      bodyLimit,
      config: { operation: operations.replayEvents },
      schema: { response: { 202: ReplayResponse } }
    },
    async (request, reply) => {
      const replay = parseReplay(request.body)
      const replayed = await webhooks.replay(request.principal, request.params.id, replay)
      return reply.code(202).send({ replayed })
    }
  )

  refuseOtherMethods(app, '/webhooks', ['GET', 'HEAD', 'POST'])
  refuseOtherMethods(app, '/webhooks/:id', ['GET', 'HEAD', 'PATCH', 'DELETE'])
  refuseOtherMethods(app, '/webhooks/:id/rotate', ['POST'])
  refuseOtherMethods(app, '/webhooks/:id/deliveries', ['GET', 'HEAD'])
  refuseOtherMethods(app, '/webhooks/:id/replay', ['POST'])
}
