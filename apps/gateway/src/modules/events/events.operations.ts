import { ListEventsQuery } from '@filewright/contracts'
import { eventExamples } from '../docs/event-examples.js'
import type { Describe } from '../docs/operation.js'
import { params, queryParameters } from '../docs/requests.js'
import { authenticated, badField, failure, failures, success } from '../docs/responses.js'

const [example] = eventExamples

export const streamEvents: Describe = () => ({
  operationId: 'streamEvents',
  tags: ['webhooks'],
  summary: 'Follow the events of a project',
  description:
    'Server-sent events with the same bodies as webhooks. The stream ends after a few minutes. Reconnect with Last-Event-ID to receive every event within the retention time.',
  parameters: [...queryParameters(ListEventsQuery), ...params('LastEventId')],
  responses: {
    200: success(
      'Events, and ids without an event while there are none',
      {
        'text/event-stream': {
          schema: { type: 'string' },
          example: `id: evt_2s_1\nevent: ${example?.type ?? ''}\ndata: ${JSON.stringify(example)}\n\n`
        }
      },
      ['X-Events-Gap']
    ),
    ...failures([
      badField('project_id', 'is required'),
      badField('Last-Event-ID', "must be an event's id"),
      failure('FORBIDDEN'),
      ...authenticated
    ])
  }
})
