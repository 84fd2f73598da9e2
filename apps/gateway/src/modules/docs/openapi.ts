import * as contracts from '@filewright/contracts'
import { parameters, responseHeaders } from './headers.js'
import { documentedWebhooks } from './webhooks.js'
import type { DocumentedRoute, Method, OpenApiOptions, Operation, Tag } from './operation.js'

/**
 * The version in package.json, which a test compares. Neither the bundle nor the image has that file at a
 * fixed path.
 */
const VERSION = '0.1.0'

const description = `Store files in projects, each scanned for malware before anyone can read it, and generate, analyze and optimize code.

Every error is \`{ "error": "<sentence>" }\`. In addition to the statuses of each operation, an unknown path is 404, a known path under another method 405 with \`Allow\`, and what never
became a request (broken HTTP, too large or too slow headers) 400, 431 or 408 on a connection that is then closed.`

/** The order of paths in the document, independent of the order in which routes are registered. */
const groups: Tag[] = ['projects', 'files', 'trash', 'webhooks', 'tokens', 'cdn', 'ai', 'service']

function pathsOf({ baseUrl, cdnUrl }: OpenApiOptions, routes: readonly DocumentedRoute[]) {
  const operations = routes.flatMap(({ methods, url, describe }) =>
    methods.map((name) => {
      const method = name.toLowerCase() as Method
      return {
        path: url.replace(/:(\w+)/g, '{$1}'),
        method,
        operation: describe({ baseUrl, cdnUrl, method })
      }
    })
  )
  const paths: Record<string, Partial<Record<Method, Operation>>> = {}
  for (const { path, method, operation } of operations.toSorted((a, b) => groupOf(a) - groupOf(b))) {
    paths[path] = { ...paths[path], [method]: operation }
  }
  return paths
}

const groupOf = ({ operation }: { operation: Operation }): number => groups.indexOf(operation.tags[0])

/** The contracts that the operations refer to by name. */
function schemasOf(paths: object) {
  const references = JSON.stringify(paths).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  const names = new Set([...references].map(([, name = '']) => name))
  return Object.fromEntries(
    [...names].toSorted().map((name) => [name, contracts[name as keyof typeof contracts]])
  )
}

/**
 * The OpenAPI 3.1 document. TypeBox schemas are JSON Schema, which OpenAPI 3.1 uses, so nothing is written
 * twice.
 */
export function createOpenApiDocument(options: OpenApiOptions, routes: readonly DocumentedRoute[]) {
  const { baseUrl } = options
  const paths = pathsOf(options, routes)
  return {
    openapi: '3.1.0',
    info: { title: 'Filewright', version: VERSION, description, license: { name: 'MIT', identifier: 'MIT' } },
    // The first URL is relative to the document, so it works under any host name.
    servers: [{ url: new URL(baseUrl).pathname, description: 'This server' }, { url: baseUrl }],
    security: [{ token: [] }],
    tags: [
      { name: 'files', description: 'Files of projects' },
      { name: 'trash', description: 'Deleted files that can be restored' },
      { name: 'webhooks', description: 'Where events are sent' },
      { name: 'tokens', description: 'Access tokens, for operators' },
      { name: 'projects', description: 'Projects and their folders' },
      { name: 'ai', description: 'Models and analyzers' },
      { name: 'service', description: 'The service itself' },
      {
        name: 'cdn',
        description: 'Public addresses: the unguessable id, or the signature in the URL, is the permission'
      }
    ],
    paths,
    webhooks: documentedWebhooks(),
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token, printed by `npm start` or by the admin command `token create`'
        }
      },
      headers: responseHeaders,
      parameters,
      schemas: schemasOf(paths)
    }
  }
}
