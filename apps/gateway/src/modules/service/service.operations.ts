import { examples } from '../docs/examples.js'
import type { Describe } from '../docs/operation.js'
import { params } from '../docs/requests.js'
import { authenticated, failures, json, success } from '../docs/responses.js'

export const showService: Describe = () => ({
  operationId: 'showService',
  tags: ['service'],
  summary: 'Show the status and the limits of the service',
  parameters: params(),
  responses: {
    200: success('The current status', json('ServiceResponse', examples.service)),
    ...failures(authenticated)
  }
})
