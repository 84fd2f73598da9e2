import type { FastifyInstance } from 'fastify'
import { GenerationsResponse, GenerationUsageResponse, limits } from '@filewright/contracts'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import { once, wholeNumber, type Query } from '../../http/query.js'
import * as operations from './history.operations.js'
import { USAGE_DAYS, type HistoryService } from './history.service.js'

/** The parent scope authenticates requests. */
export async function historyRoutes(
  app: FastifyInstance,
  { history }: { history: HistoryService }
): Promise<void> {
  app.get(
    '/generations',
    {
      config: { operation: operations.listGenerations },
      schema: { response: { 200: GenerationsResponse } }
    },
    async ({ principal, query }) =>
      await history.list(principal, {
        after: once(query as Query, 'after') ?? '',
        limit: wholeNumber('limit', once(query as Query, 'limit'), limits.pageSize.default)
      })
  )
  app.get(
    '/generations/usage',
    {
      config: { operation: operations.showGenerationUsage },
      schema: { response: { 200: GenerationUsageResponse } }
    },
    async ({ principal }) => ({ days: USAGE_DAYS, usage: await history.usage(principal) })
  )
  for (const path of ['/generations', '/generations/usage']) refuseOtherMethods(app, path, ['GET', 'HEAD'])
}
