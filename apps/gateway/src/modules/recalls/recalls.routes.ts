import type { FastifyInstance } from 'fastify'
import { RecallsResponse } from '@filewright/contracts'
import { parseProjectId } from '@filewright/domain'
import { InvalidFieldError, isId } from '@filewright/runtime'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import { once, type Query } from '../../http/query.js'
import * as operations from './recalls.operations.js'
import type { RecallsQuery, RecallsService } from './recalls.service.js'

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/

function parseQuery(query: Query): RecallsQuery {
  const [projectId, since, after] = ['project_id', 'since', 'after'].map((name) => once(query, name))
  const at = since === undefined ? new Date(0) : new Date(since)
  if ((since !== undefined && !TIME.test(since)) || Number.isNaN(at.getTime())) {
    throw new InvalidFieldError('since', 'must be a time in ISO 8601, such as 2026-01-15T09:30:00Z')
  }
  if (after !== undefined && !isId(after)) throw new InvalidFieldError('after', 'must be the id of a file')
  return {
    ...(projectId === undefined ? {} : { projectId: parseProjectId(projectId) }),
    since: at,
    afterId: after ?? ''
  }
}

/** `GET /recalls`. The parent scope authenticates requests. */
export async function recallsRoutes(
  app: FastifyInstance,
  { recalls }: { recalls: RecallsService }
): Promise<void> {
  app.get(
    '/recalls',
    { config: { operation: operations.listRecalls }, schema: { response: { 200: RecallsResponse } } },
    async (request) => ({
      recalls: await recalls.list(request.principal, parseQuery(request.query as Query))
    })
  )
  refuseOtherMethods(app, '/recalls', ['GET', 'HEAD'])
}
