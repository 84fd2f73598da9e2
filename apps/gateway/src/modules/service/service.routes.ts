import type { FastifyInstance } from 'fastify'
import { ServiceResponse } from '@filewright/contracts'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import { showService } from './service.operations.js'
import type { ServiceService } from './service.service.js'

/** The status of the service. The parent scope authenticates requests. */
export async function serviceRoutes(
  app: FastifyInstance,
  { service }: { service: ServiceService }
): Promise<void> {
  app.get(
    '/service',
    { config: { operation: showService }, schema: { response: { 200: ServiceResponse } } },
    async ({ principal }) => await service.status(principal)
  )
  refuseOtherMethods(app, '/service', ['GET', 'HEAD'])
}
