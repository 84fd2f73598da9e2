import type { FastifyInstance } from 'fastify'
import {
  GenerationResponse,
  GenerationsResponse,
  GenerationUsageResponse,
  limits,
  type GenerationParams
} from '@filewright/contracts'
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
  app.get<{ Params: GenerationParams }>(
    '/generations/:id',
    {
      config: { operation: operations.showGeneration },
      schema: { response: { 200: GenerationResponse } }
    },
    async ({ principal, params }) => ({ generation: await history.find(principal, params.id) })
  )
  for (const path of ['/generations', '/generations/usage', '/generations/:id']) {
    refuseOtherMethods(app, path, ['GET', 'HEAD'])
  }
}
