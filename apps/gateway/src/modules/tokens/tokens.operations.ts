import { ListTokensQuery } from '@filewright/contracts'
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
  schemaRef,
  success
} from '../docs/responses.js'

const operatorsOnly = [failure('FORBIDDEN'), ...authenticated]

export const listTokens: Describe = () => ({
  operationId: 'listTokens',
  tags: ['tokens'],
  summary: 'List all tokens, newest first, without their secrets',
  description: 'Requires the token of an operator, as do all operations on tokens.',
  parameters: [...queryParameters(ListTokensQuery), ...params()],
  responses: {
    200: success('One page', json('TokensResponse', examples.tokens)),
    ...failures([badField('after', 'must be from `next` of a page'), ...operatorsOnly])
  }
})

export const createAccessToken: Describe = () => ({
  operationId: 'createToken',
  tags: ['tokens'],
  summary: 'Create a token',
  description:
    "Only this response contains the secret. The token cannot be an operator's; those are created on the server.",
  parameters: params(),
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: schemaRef('CreateTokenRequest'), example: examples.createToken }
    }
  },
  responses: {
    201: success('Created', json('TokenSecretResponse', examples.tokenCreated)),
    ...failures([
      badField('name', 'is required'),
      frameworkError(413),
      frameworkError(415),
      failure('REQUEST_TIMEOUT'),
      ...operatorsOnly
    ])
  }
})

export const revokeToken: Describe = () => ({
  operationId: 'revokeToken',
  tags: ['tokens'],
  summary: 'Revoke a token',
  description: 'The service no longer accepts the token when this responds. A token cannot revoke itself.',
  parameters: params('TokenId'),
  responses: {
    200: success('Revoked', json('RevokeTokenResponse', examples.tokenRevoked)),
    ...failures([
      badField('id', 'must not be the token of this request; use another one'),
      failure('TOKEN_NOT_FOUND'),
      ...operatorsOnly
    ])
  }
})
