import { ListGenerationsQuery } from '@filewright/contracts'
import { examples } from '../docs/examples.js'
import type { Describe } from '../docs/operation.js'
import { params, queryParameters } from '../docs/requests.js'
import {
  authenticated,
  badField,
  failure,
  failures,
  frameworkError,
  json,
  success
} from '../docs/responses.js'

export const listGenerations: Describe = () => ({
  operationId: 'listGenerations',
  tags: ['ai'],
  summary: 'List the generations, analyses and optimizations of the token, newest first',
  description:
    'Does not contain prompts, code or results; `GET /api/generations/{id}` does, if they are stored.',
  parameters: [...queryParameters(ListGenerationsQuery), ...params()],
  responses: {
    200: success('One page', json('GenerationsResponse', examples.generations)),
    ...failures([badField('after', 'must be from `next` of a page'), ...authenticated])
  }
})

export const showGeneration: Describe = () => ({
  operationId: 'showGeneration',
  tags: ['ai'],
  summary: 'Show one generation, analysis or optimization of the token',
  description:
    'With the request and its result if the service stores them (`STORE_PROMPTS`). ' +
    '`request` is the body to send again.',
  parameters: params('GenerationId'),
  responses: {
    200: success('The generation', json('GenerationResponse', examples.generation)),
    ...failures([frameworkError(400), failure('GENERATION_NOT_FOUND'), ...authenticated])
  }
})

export const showGenerationUsage: Describe = () => ({
  operationId: 'showGenerationUsage',
  tags: ['ai'],
  summary: 'Requests and tokens of the last 30 days, per day and model',
  parameters: params(),
  responses: {
    200: success('The usage', json('GenerationUsageResponse', examples.generationUsage)),
    ...failures(authenticated)
  }
})
