import { ListDeliveriesQuery, ListWebhooksQuery } from '@filewright/contracts'
import { examples } from '../docs/examples.js'
import type { Describe } from '../docs/operation.js'
import { params, queryParameters } from '../docs/requests.js'
import {
  authenticated,
  badField,
  failure,
  failures,
  json,
  frameworkError,
  schemaRef,
  success
} from '../docs/responses.js'

const refused = [frameworkError(400), failure('WEBHOOK_NOT_FOUND'), ...authenticated]
const ofBody = [frameworkError(413), frameworkError(415), failure('REQUEST_TIMEOUT')]
const badUrl = badField('url', 'must start with https://')
const off = failure('WEBHOOKS_OFF')
const body = (schema: string, example: object, required = true) => ({
  required,
  content: { 'application/json': { schema: schemaRef(schema), example } }
})

export const createWebhook: Describe = () => ({
  operationId: 'createWebhook',
  tags: ['webhooks'],
  summary: 'Send events of a project to a URL',
  description:
    'Only this response contains the secret. Deliveries are signed as Standard Webhooks specifies.',
  parameters: params(),
  requestBody: body('CreateWebhookRequest', examples.createWebhook),
  responses: {
    201: success('Created', json('WebhookSecretResponse', examples.webhookCreated)),
    ...failures([
      badUrl,
      badField('project_id', 'is required'),
      failure('FORBIDDEN'),
      failure('WEBHOOK_LIMIT'),
      off,
      ...ofBody,
      ...authenticated
    ])
  }
})

export const listWebhooks: Describe = () => ({
  operationId: 'listWebhooks',
  tags: ['webhooks'],
  summary: 'List the webhooks of a project',
  parameters: [...queryParameters(ListWebhooksQuery), ...params()],
  responses: {
    200: success('Oldest first', json('WebhooksResponse', examples.webhooks)),
    ...failures([badField('project_id', 'is required'), failure('FORBIDDEN'), ...authenticated])
  }
})

export const getWebhook: Describe = () => ({
  operationId: 'getWebhook',
  tags: ['webhooks'],
  summary: 'Get a webhook',
  parameters: params('WebhookId'),
  responses: { 200: success('The webhook', json('WebhookResponse', examples.webhook)), ...failures(refused) }
})

export const changeWebhook: Describe = () => ({
  operationId: 'changeWebhook',
  tags: ['webhooks'],
  summary: 'Change a webhook',
  description: 'Enabling a webhook that the service has disabled delivers its pending events.',
  parameters: params('WebhookId'),
  requestBody: body('ChangeWebhookRequest', examples.changeWebhook),
  responses: {
    200: success('The webhook', json('WebhookResponse', examples.webhook)),
    ...failures([badUrl, ...ofBody, ...refused])
  }
})

export const deleteWebhook: Describe = () => ({
  operationId: 'deleteWebhook',
  tags: ['webhooks'],
  summary: 'Delete a webhook and its deliveries',
  parameters: params('WebhookId'),
  responses: {
    200: success('Deleted', json('DeleteWebhookResponse', examples.webhookDeleted)),
    ...failures(refused)
  }
})

export const rotateWebhook: Describe = () => ({
  operationId: 'rotateWebhook',
  tags: ['webhooks'],
  summary: 'Replace the secret of a webhook',
  description: 'Deliveries are signed with both secrets until the overlap ends.',
  parameters: params('WebhookId'),
  requestBody: body('RotateWebhookRequest', examples.rotateWebhook, false),
  responses: {
    200: success('With the new secret', json('WebhookSecretResponse', examples.webhookCreated)),
    ...failures([
      badField('overlap_hours', 'must be a whole number from 0 to 168'),
      off,
      ...ofBody,
      ...refused
    ])
  }
})

export const listDeliveries: Describe = () => ({
  operationId: 'listDeliveries',
  tags: ['webhooks'],
  summary: 'List the deliveries of a webhook',
  description: 'Newest first. The log is kept as long as events are.',
  parameters: [...params('WebhookId'), ...queryParameters(ListDeliveriesQuery)],
  responses: {
    200: success('One page', json('DeliveriesResponse', examples.deliveries)),
    ...failures([badField('before', "must be a delivery's id"), ...refused])
  }
})

export const replayEvents: Describe = () => ({
  operationId: 'replayEvents',
  tags: ['webhooks'],
  summary: 'Deliver again one event, or the events of a time range',
  description: 'At most 10,000 events, oldest first. They keep their ids.',
  parameters: params('WebhookId'),
  requestBody: body('ReplayRequest', examples.replay),
  responses: {
    202: success('They are delivered soon', json('ReplayResponse', examples.replayed)),
    ...failures([badField('event_id', "must be an event's id"), ...ofBody, ...refused])
  }
})
