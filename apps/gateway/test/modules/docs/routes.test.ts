import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { createOpenApiDocument } from '../../../src/modules/docs/openapi.js'
import { startTestGateway } from '../../helpers/test-gateway.js'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** For people and browsers: they are not operations of the API. */
const PAGES = new Set([
  '/',
  '/console/:name',
  '/docs',
  '/docs/start.js',
  '/docs/swagger-ui-bundle.js',
  '/docs/swagger-ui.css',
  '/openapi.json'
])

interface Route {
  method: string
  url: string
  isRefusal: boolean
}

/** Every route that the gateway registers. Fastify publishes each instance before it has routes. */
async function routesOf(t: Test, add: (app: FastifyInstance) => void = () => {}): Promise<Route[]> {
  const routes: Route[] = []
  const onInstance = (message: unknown): void => {
    const { fastify: app } = message as { fastify: FastifyInstance }
    app.addHook('onRoute', ({ method, url, config }) => {
      const isRefusal = (config as { isRefusal?: boolean } | undefined)?.isRefusal === true
      for (const each of [method].flat()) routes.push({ method: each, url, isRefusal })
    })
    add(app)
  }
  subscribe('fastify.initialization', onInstance)
  try {
    await startTestGateway(t)
  } finally {
    unsubscribe('fastify.initialization', onInstance)
  }
  return routes
}

const document = createOpenApiDocument({ baseUrl: 'http://files.test', cdnUrl: 'http://cdn.test' })
const documented = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`)
)

/** As the document writes them. Fastify adds HEAD to every GET. */
function operationsOf(routes: readonly Route[]): string[] {
  return routes
    .filter(({ url, isRefusal, method }) => !isRefusal && method !== 'HEAD' && !PAGES.has(url))
    .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`)
}

t.test('every route of the gateway is documented, and every documented operation has a route', async (t) => {
  const operations = operationsOf(await routesOf(t))

  t.strictSame(operations.toSorted(), documented.filter((each) => !each.startsWith('HEAD ')).toSorted())
})

t.test('a page that is no route any more is not in the list of pages', async (t) => {
  const urls = new Set((await routesOf(t)).map(({ url }) => url))

  t.strictSame(
    [...PAGES].filter((url) => !urls.has(url)),
    []
  )
})

t.test('every path answers each method, with 405 where there is no operation', async (t) => {
  const methods = new Map<string, Set<string>>()
  for (const { method, url } of await routesOf(t)) {
    methods.set(url, (methods.get(url) ?? new Set()).add(method))
  }

  for (const [url, answered] of methods) {
    t.strictSame(
      METHODS.filter((method) => !answered.has(method)),
      [],
      `${url} misses methods in refuseOtherMethods`
    )
  }
})

t.test('a route that nobody documented would be found', async (t) => {
  const routes = await routesOf(t, (app) => {
    app.get('/api/secret', async () => 'x')
  })

  t.strictSame(
    operationsOf(routes).filter((each) => !documented.includes(each)),
    ['GET /api/secret']
  )
})
