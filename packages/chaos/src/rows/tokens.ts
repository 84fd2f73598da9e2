import { createHash } from 'node:crypto'
import { createId, createToken } from '@filewright/runtime'
import { createClient } from '@filewright/acceptance'
import type { Rig } from '../harness/rig.js'
import type { Row, Tally } from '../harness/row.js'
import { exchange, type RawAnswer } from '../hostile/raw.js'

interface Route {
  method: string
  path: string
}

/** Headers that may differ between two otherwise identical responses. */
const PASSING = new Set(['date', 'x-request-id', 'connection', 'keep-alive'])

/** Every route that needs a token, from the service's OpenAPI document. */
async function guardedRoutes(rig: Rig): Promise<Route[]> {
  const { paths } = (await (await fetch(`${rig.stack.baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { security?: unknown[] }>>
  }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(
        ([method, operation]) =>
          ['get', 'post', 'delete', 'head', 'put'].includes(method) && operation.security?.length !== 0
      )
      .map(([method]) => ({ method: method.toUpperCase(), path: path.replace('{id}', createId()) }))
  )
}

async function addToken(
  rig: Rig,
  projects: string[],
  { expired = false, revoked = false } = {}
): Promise<string> {
  const token = createToken()
  const hash = createHash('sha256').update(token).digest('hex')
  const past = new Date(Date.now() - 1_000)
  await rig.sql(
    'INSERT INTO tokens (id, name, hash, projects, expires_at, revoked_at) VALUES ($1, $2, $3, $4, $5, $6)',
    [createId(), 'row', hash, projects, expired ? past : null, revoked ? past : null]
  )
  return token
}

async function call(
  rig: Rig,
  { method, path }: Route,
  authorization: string | undefined
): Promise<RawAnswer> {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    ...(authorization === undefined ? [] : [`Authorization: ${authorization}`])
  ]
  const { answers } = await exchange(
    rig.stack.baseUrl,
    Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    { head: method === 'HEAD' }
  )
  return answers[0] ?? { status: 0, headers: new Map(), body: Buffer.alloc(0) }
}

function shapeOf({ status, headers, body }: RawAnswer): string {
  return JSON.stringify([status, [...headers].filter(([name]) => !PASSING.has(name)).sort(), body.toString()])
}

async function badTokens(rig: Rig, tally: Tally): Promise<number> {
  const good = await addToken(rig, ['*'])
  const swapped = [...good]
    .map((char) => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase()))
    .join('')
  const hash = createHash('sha256').update(good).digest('hex')
  const bad: Array<string | undefined> = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    good,
    `Basic ${good}`,
    `Basic ${Buffer.from(`admin:${good}`).toString('base64')}`,
    `Bearer ${good}x`,
    `Bearer ${good.slice(0, -1)}`,
    `Bearer x${good}`,
    `Bearer ${swapped}`,
    `Bearer ${hash}`,
    `Bearer "${good}"`,
    `Bearer ${good}, Bearer ${good}`,
    `Bearer ${good} ${good}`,
    `Bearer\t${good}`,
    `Token ${good}`,
    `Bearer: ${good}`,
    'Bearer null',
    'Bearer undefined',
    'Bearer *',
    'Bearer %',
    "Bearer ' OR 1=1 --",
    'Bearer \u00e9\u00ff',
    `Bearer ${'t'.repeat(600)}`,
    `Bearer ${await addToken(rig, ['*'], { expired: true })}`,
    `Bearer ${await addToken(rig, ['*'], { revoked: true })}`
  ]
  const routes = await guardedRoutes(rig)
  for (const route of routes) {
    const shapes = new Set<string>()
    for (const authorization of bad) {
      tally.operations++
      tally.injected++
      const answer = await call(rig, route, authorization)
      if (answer.status === 401) tally.hit++
      tally.expect(
        answer.status === 401 && answer.headers.get('www-authenticate') === 'Bearer',
        `${route.method} ${route.path} with ${authorization ?? 'no token'}: ${answer.status}`
      )
      shapes.add(shapeOf(answer))
    }
    tally.expect(
      shapes.size === 1,
      `${route.method} ${route.path}: bad tokens get ${shapes.size} different answers`
    )
  }
  tally.expect(
    (await call(rig, { method: 'GET', path: '/api/ai/models' }, `Bearer ${good}`)).status === 200,
    'the good token is refused as well'
  )
  return routes.length
}

async function foreignProjects(rig: Rig, tally: Tally, round: number): Promise<void> {
  const owners = await Promise.all(
    ['red', 'green', 'blue'].map(async (color) => {
      const project = `tokens-${color}-${round}`
      const token = await addToken(rig, [project])
      const { status, body } = await createClient(rig.stack.baseUrl, token).upload({
        content: color,
        project
      })
      tally.expect(status === 201, `${color} cannot upload into its own project: ${status}`)
      return { project, token, id: body.file.id as string }
    })
  )
  const routesOf = (id: string): Route[] => [
    { method: 'GET', path: `/api/files/${id}` },
    { method: 'HEAD', path: `/api/files/${id}` },
    { method: 'GET', path: `/api/files/${id}/download` },
    { method: 'HEAD', path: `/api/files/${id}/download` },
    { method: 'GET', path: `/files/${id}/download` },
    { method: 'DELETE', path: `/api/files/${id}` }
  ]
  const absent = createId()
  for (const { project, token } of owners) {
    for (const other of owners) {
      const isOwn = other.project === project
      for (const [i, route] of routesOf(other.id).entries()) {
        if (isOwn && route.method === 'DELETE') continue
        tally.operations++
        tally.injected++
        const answer = await call(rig, route, `Bearer ${token}`)
        const none = await call(rig, routesOf(absent)[i] as Route, `Bearer ${token}`)
        const right = isOwn
          ? answer.status === 200
          : answer.status === 404 && shapeOf(answer) === shapeOf(none)
        if (right) tally.hit++
        tally.expect(
          right,
          `${route.method} ${route.path} of ${other.project} with the token of ${project}: ${shapeOf(answer)}, and for an absent id ${shapeOf(none)}`
        )
      }
      const list = async (name: string): Promise<RawAnswer> =>
        await call(rig, { method: 'GET', path: `/api/files?project_id=${name}` }, `Bearer ${token}`)
      const [answer, none] = [await list(other.project), await list(`none-${round}`)]
      tally.expect(
        isOwn ? answer.status === 200 : answer.status === 403 && shapeOf(answer) === shapeOf(none),
        `the list of ${other.project} with the token of ${project}: ${answer.status}`
      )
      if (!isOwn) {
        const { status } = await createClient(rig.stack.baseUrl, token).upload({
          content: 'x',
          project: other.project
        })
        tally.expect(
          status === 403,
          `an upload into ${other.project} with the token of ${project}: ${status}`
        )
      }
    }
  }
  for (const { token, id } of owners) {
    tally.expect(
      (await call(rig, { method: 'DELETE', path: `/api/files/${id}` }, `Bearer ${token}`)).status === 200,
      `${id} was deleted by another`
    )
  }
}

export const tokens: Row = {
  name: 'every route × every bad token; three tokens × three projects',
  promises: ['P6', 'P7'],
  target: 'all: 401; identical 404s',
  counts: { quick: 1, full: 5 },
  run: async ({ rig, tally, count, say }) => {
    for (let round = 0; round < count; round++) {
      const routes = await badTokens(rig, tally)
      tally.expect(routes >= 10, `only ${routes} routes want a token`)
      await foreignProjects(rig, tally, round)
      say(`round ${round + 1} of ${count}: ${routes} routes`)
    }
  }
}
