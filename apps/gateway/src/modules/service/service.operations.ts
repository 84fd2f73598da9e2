import { examples } from '../docs/examples.js'
import type { Describe } from '../docs/operation.js'
import { params } from '../docs/requests.js'
import { authenticated, failures, json, success } from '../docs/responses.js'

export const showService: Describe = () => ({
  operationId: 'showService',
  tags: ['service'],
  summary: 'Show how the service is, and its limits',
  parameters: params(),
  responses: {
    200: success('What is known at this moment', json('ServiceResponse', examples.service)),
    ...failures(authenticated)
  }
})
