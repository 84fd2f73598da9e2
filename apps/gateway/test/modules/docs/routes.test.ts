import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { fastify, type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { collectOperations } from '../../../src/modules/docs/operation.js'
import { startTestGateway } from '../../helpers/test-gateway.js'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** The methods of every path that the gateway registers. Fastify publishes each instance before it has routes. */
async function methodsByPath(t: Test): Promise<Map<string, Set<string>>> {
  const methods = new Map<string, Set<string>>()
  const onInstance = (message: unknown): void => {
    const { fastify: app } = message as { fastify: FastifyInstance }
    app.addHook('onRoute', ({ method, url }) => {
      methods.set(url, new Set([...(methods.get(url) ?? []), ...[method].flat()]))
    })
  }
  subscribe('fastify.initialization', onInstance)
  try {
    await startTestGateway(t)
  } finally {
    unsubscribe('fastify.initialization', onInstance)
  }
  return methods
}

t.test('a route without documentation cannot be registered, and the error names it', async (t) => {
  const app = fastify()
  collectOperations(app)

  t.throws(() => app.get('/api/secret', async () => 'x'), {
    message: /^GET \/api\/secret is not documented: /
  })
})

t.test('every path answers each method, with 405 where there is no operation', async (t) => {
  for (const [url, answered] of await methodsByPath(t)) {
    t.strictSame(
      METHODS.filter((method) => !answered.has(method)),
      [],
      `${url} misses methods in refuseOtherMethods`
    )
  }
})
