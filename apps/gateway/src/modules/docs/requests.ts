import type { Parameter } from './headers.js'
import { badField, failure, frameworkError } from './responses.js'

/** Parameters of an operation besides its own query and body. */
export const params = (...names: Parameter[]) =>
  [...names, 'RequestId'].map((name) => ({ $ref: `#/components/parameters/${name}` }))

/** The errors that an Idempotency-Key can cause. */
export const idempotency = [
  failure('IDEMPOTENCY_BUSY'),
  failure('IDEMPOTENCY_MISMATCH'),
  badField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
]

/** The errors that an id in the path can cause: it is malformed, or there is no such file. */
export const fileIdRefused = [frameworkError(400), failure('FILE_NOT_FOUND')]

interface QuerySchema {
  properties: object
  required?: string[] | undefined
}

/** One parameter for each property of the query's contract. */
export const queryParameters = ({ properties, required = [] }: QuerySchema) =>
  Object.entries(properties as Record<string, { description?: string }>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema,
      ...(name === 'project_id' ? { example: 'demo' } : {})
    })
  )
