import type { FastifyInstance } from 'fastify'

export type Tag = 'files' | 'trash' | 'webhooks' | 'tokens' | 'projects' | 'ai' | 'service' | 'cdn'

export type Method = 'get' | 'head' | 'post' | 'patch' | 'delete'

export interface OpenApiOptions {
  baseUrl: string
  cdnUrl: string
}

export interface Operation {
  operationId: string
  tags: [Tag]
  summary: string
  description?: string
  security?: []
  parameters: object[]
  requestBody?: object
  responses: object
}

/** Builds the operation when a client first requests the document, not at startup. */
export type Describe = (options: OpenApiOptions & { method: Method }) => Operation

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's part of the OpenAPI document. `null`: not an operation of the API, such as a page or a 405. */
    operation?: Describe | null
  }
}

/** Options of a route that is not an operation of the API. */
export const notInApi = { config: { operation: null } }

export interface DocumentedRoute {
  methods: string[]
  url: string
  describe: Describe
}

/** Collects the operations of all routes registered from now on. A route without one is an error. */
export function collectOperations(app: FastifyInstance): readonly DocumentedRoute[] {
  const routes: DocumentedRoute[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    const describe = config?.operation
    if (describe === undefined) {
      throw new Error(
        `${String(method)} ${url} is not documented: set config.operation, or null if it is not part of the API`
      )
    }
    // Fastify adds a HEAD route to every GET route.
    if (describe !== null && method !== 'HEAD') routes.push({ methods: [method].flat(), url, describe })
  })
  return routes
}
