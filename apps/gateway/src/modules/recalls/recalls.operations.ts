import { limits, ListRecallsQuery } from '@filewright/contracts'
import { examples } from '../docs/examples.js'
import type { Describe } from '../docs/operation.js'
import { params, queryParameters } from '../docs/requests.js'
import { authenticated, badField, failure, failures, json, success } from '../docs/responses.js'

export const listRecalls: Describe = () => ({
  operationId: 'listRecalls',
  tags: ['files'],
  summary: 'List stored files that newer signatures withdrew',
  description: `Files of the token's projects, files that this token downloaded, and files that other tokens of its projects downloaded. Oldest first, at most ${limits.namesPerAnswer}.`,
  parameters: [...queryParameters(ListRecallsQuery), ...params()],
  responses: {
    200: success('The recalls', json('RecallsResponse', examples.recalls)),
    ...failures([
      badField('since', 'must be a time in ISO 8601, such as 2026-01-15T09:30:00Z'),
      failure('FORBIDDEN'),
      ...authenticated
    ])
  }
})
