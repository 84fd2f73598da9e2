import type { FastifyInstance, HTTPMethods } from 'fastify'
import { sentences } from '@filewright/contracts'

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A known path under a wrong method is 405 with `Allow`, not 404. */
export function refuseOtherMethods(app: FastifyInstance, url: string, allowed: HTTPMethods[]): void {
  app.route({
    method: methods.filter((method) => !allowed.includes(method)),
    url,
    config: { operation: null },
    handler: (_request, reply) =>
      reply
        .code(405)
        .headers({ allow: allowed.join(', '), 'cache-control': 'no-store' })
        .send({ error: sentences.methodNotAllowed })
  })
}
