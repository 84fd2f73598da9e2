import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import { notInApi, type DocumentedRoute, type OpenApiOptions } from './operation.js'

/**
 * The large assets of the page, from the `swagger-ui-dist` package. They are opened on the first request, not
 * at startup.
 */
const assets: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8'
}

const assetPath = (name: string): string => createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`)
const integrityOf = (script: string | Buffer): string => {
  return `sha256-${createHash('sha256').update(script).digest('base64')}`
}

interface Scripts {
  bundle: string
  start: string
}

const pageOf = (base: string, { bundle, start }: Scripts): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Filewright API</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="${base}/docs/swagger-ui.css">
</head>
<body>
  <div id="reference"></div>
  <script src="${base}/docs/swagger-ui-bundle.js" integrity="${bundle}"></script>
  <script src="${base}/docs/start.js" integrity="${start}"></script>
</body>
</html>
`

/** Uses the theme chosen in the console, or else the system's. Swagger UI has the styles. */
const followTheme = `const system = matchMedia('(prefers-color-scheme: dark)')
let chosen = null
try {
  chosen = localStorage.getItem('filewright-theme')
} catch {
  // A browser may deny access to storage.
}
const follow = () => {
  const isDark = chosen === 'dark' || (chosen !== 'light' && system.matches)
  document.documentElement.classList.toggle('dark-mode', isDark)
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
}
system.addEventListener('change', follow)
follow()
`

const startOf = (base: string): string => `${followTheme}SwaggerUIBundle({
  url: '${base}/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null
})
`

/**
 * The page loads nothing from other origins and sends nothing there. Scripts are allowed by hash instead of
 * `'self'`, because users' files are served from this origin too.
 */
const policyOf = ({ bundle, start }: Scripts): string =>
  [
    "default-src 'none'",
    `script-src '${bundle}' '${start}'`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join('; ')

export interface DocsRoutesOptions extends OpenApiOptions {
  operations: readonly DocumentedRoute[]
}

/**
 * `/openapi.json` and the reference page at `/docs`. Neither needs a token, because the API is not secret.
 */
export async function docsRoutes(app: FastifyInstance, options: DocsRoutesOptions): Promise<void> {
  // BASE_URL has a path behind a proxy.
  const base = new URL(options.baseUrl).pathname.replace(/\/+$/, '')
  let document: Promise<string> | undefined
  let scripts: Promise<Scripts> | undefined

  async function readScripts(): Promise<Scripts> {
    const bundle = await readFile(assetPath('swagger-ui-bundle.js'))
    return { bundle: integrityOf(bundle), start: integrityOf(startOf(base)) }
  }

  async function createDocument(): Promise<string> {
    const { createOpenApiDocument } = await import('./openapi.js')
    return JSON.stringify(createOpenApiDocument(options, options.operations))
  }

  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300')
  })

  app.get('/openapi.json', notInApi, async (_request, reply) => {
    document ??= createDocument()
    return reply.type('application/json; charset=utf-8').send(await document)
  })

  app.get('/docs', notInApi, async (_request, reply) => {
    const named = await (scripts ??= readScripts())
    reply.type('text/html; charset=utf-8').header('content-security-policy', policyOf(named))
    return reply.send(pageOf(base, named))
  })

  app.get('/docs/start.js', notInApi, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(startOf(base))
  )

  for (const [name, type] of Object.entries(assets)) {
    app.get(`/docs/${name}`, notInApi, async (_request, reply) => {
      return reply.type(type).send(createReadStream(assetPath(name)))
    })
  }

  for (const path of [
    '/openapi.json',
    '/docs',
    '/docs/start.js',
    ...Object.keys(assets).map((name) => `/docs/${name}`)
  ]) {
    refuseOtherMethods(app, path, ['GET', 'HEAD'])
  }
}
