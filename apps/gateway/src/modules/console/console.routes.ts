import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sentences } from '@filewright/contracts'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import { notInApi } from '../docs/operation.js'

export interface ConsoleRoutesOptions {
  baseUrl: string
}

/** The names of the page's files, written by the build. */
interface Page {
  script: string
  style: string
  icon: string
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml'
}

/** File names from the build. They contain a hash of the content, so a browser may cache them forever. */
const FILE_NAME = /^[a-z]+-[A-Z0-9]{8}\.(js|css|svg)$/
const FOR_EVER = 'public, max-age=31536000, immutable'

/**
 * The page loads nothing from other origins and sends nothing there. Scripts and styles are allowed by a
 * nonce instead of `'self'`, because users' files are served from this origin too. Modules pass the nonce on
 * to their imports. Previews are images and frames that the page creates from blobs.
 */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' blob:",
    "connect-src 'self'",
    'frame-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join('; ')

const pageOf = (base: string, { script, style, icon }: Page, nonce: string): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Filewright</title>
  <link rel="icon" href="${base}/console/${icon}">
  <link rel="stylesheet" href="${base}/console/${style}" nonce="${nonce}">
  <script type="module" src="${base}/console/${script}" nonce="${nonce}"></script>
</head>
<body>
  <div id="console"></div>
  <noscript>The console needs JavaScript. The API works without it.</noscript>
</body>
</html>
`

const siteFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@filewright/console/package.json')), 'dist', 'site')

/** The console at `/` and its files. Neither needs a token: the page asks for one and sends it to the API. */
export async function consoleRoutes(app: FastifyInstance, { baseUrl }: ConsoleRoutesOptions): Promise<void> {
  // BASE_URL has a path behind a proxy. Without one, the page finds its files by relative URLs.
  const base = new URL(baseUrl).pathname.replace(/\/+$/, '') || '.'
  let page: Promise<Page> | undefined

  const readPage = async (): Promise<Page> =>
    JSON.parse(await readFile(join(siteFolder(), 'page.json'), 'utf8')) as Page

  app.get('/', notInApi, async (_request, reply) => {
    const nonce = randomBytes(16).toString('base64url')
    const names = await (page ??= readPage())
    return reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': policyOf(nonce), 'cross-origin-opener-policy': 'same-origin' })
      .send(pageOf(base, names, nonce))
  })

  app.get<{ Params: { name: string } }>('/console/:name', notInApi, async (request, reply) => {
    const { name } = request.params
    const isCompressed = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    const file = FILE_NAME.test(name) ? join(siteFolder(), isCompressed ? `${name}.gz` : name) : undefined
    const content = file === undefined ? null : await readFile(file).catch(() => null)
    if (content === null) return reply.code(404).send({ error: sentences.routeNotFound })
    return reply
      .type(types[extname(name)] ?? '')
      .headers({
        'cache-control': FOR_EVER,
        vary: 'accept-encoding',
        ...(isCompressed ? { 'content-encoding': 'gzip' } : {})
      })
      .send(content)
  })

  for (const path of ['/', '/console/:name']) refuseOtherMethods(app, path, ['GET', 'HEAD'])
}
