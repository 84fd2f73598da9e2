import { eventBodies } from '@filewright/contracts'
import { eventExamples } from './event-examples.js'

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example
})

const parameters = [
  header('webhook-id', 'Id of the event, the same in every attempt', 'evt_2s_1'),
  header('webhook-timestamp', 'Unix time of the attempt, in seconds', '1768469400'),
  header(
    'webhook-signature',
    'One signature for each valid secret',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='
  )
]

const nameOf = (type: string): string =>
  type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The requests that the service sends, by type of event. */
export const documentedWebhooks = () =>
  Object.fromEntries(
    eventExamples.map((example) => [
      example.type,
      {
        post: {
          operationId: `on${nameOf(example.type)}`,
          summary: `An event of the type ${example.type}`,
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: eventBodies[example.type], example } }
          },
          responses: {
            '2XX': { description: 'Received. After any other response, or none, the delivery is retried' }
          }
        }
      }
    ])
  )
