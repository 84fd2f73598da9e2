import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inFlight } from '@filewright/acceptance'
import { startHttpRelay, type RelayedRequest } from '@filewright/testing'
import { ROOT } from '../harness/apps.js'
import type { Random } from '../harness/random.js'
import type { Rig } from '../harness/rig.js'
import type { Row, Tally } from '../harness/row.js'
import type { Subject } from '../harness/subject.js'
import { createAdversary, type Act } from '../sync/adversary.js'
import {
  violationsAfterDown,
  violationsAfterUp,
  deletedHere,
  differencesBetweenSides,
  wasThereThroughout,
  type Ended
} from '../sync/invariants.js'
import { createWorld, readLocal, readStored, type World } from '../sync/world.js'

/**
 * The number of changes while a run reads the list, and again afterwards. With few, sync still deletes files;
 * with many, it refuses nearly all deletes.
 */
const ACTS = [1, 2, 3, 5, 12]
/** The maximum number of edits by a user who edits all the time. */
const MAX_EDITS = 400
const SIDES = [['server'], ['disk'], ['server', 'disk']] as const

interface Counts {
  runs: number
  requests: number
  pages: number
  acts: Map<Act, number>
  betweenPages: number
  deletedHere: number
  deletedThere: number
  refused: number
}

type Direction = 'down' | 'up'

/** Runs the command in a separate process, behind the relay. */
async function runSync(url: string, token: string, world: World, direction: Direction, parallel: number) {
  const place = `fw:${[world.project, world.base].filter((part) => part !== '').join('/')}`
  const args = direction === 'down' ? [place, world.folder] : [world.folder, place]
  const child = spawn(
    process.execPath,
    [join(ROOT, 'apps/cli/bin/filewright.mjs'), 'sync', ...args, '--delete', '--parallel', String(parallel)],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        FILEWRIGHT_URL: url,
        FILEWRIGHT_TOKEN: token,
        XDG_CONFIG_HOME: join(world.folder, '..')
      }
    }
  )
  const [said, [code]] = await Promise.all([
    textOf(child.stderr),
    once(child, 'exit') as Promise<[number | null]>
  ])
  return { code, said }
}

type RequestKind = 'recalls' | 'first page' | 'page' | 'folders' | 'name' | 'download' | 'delete' | 'upload'

function kindOf({ method, path }: RelayedRequest): RequestKind {
  if (method === 'DELETE') return 'delete'
  if (method === 'POST') return 'upload'
  if (path.endsWith('/download')) return 'download'
  if (path.startsWith('/api/folders')) return 'folders'
  if (path.startsWith('/api/recalls')) return 'recalls'
  const query = new URLSearchParams(path.split('?')[1])
  if (query.has('search')) return 'name'
  return query.get('after') === '' ? 'first page' : 'page'
}

/** In ten requests. */
const CHANCES: Record<RequestKind, number> = {
  recalls: 3,
  'first page': 3,
  page: 6,
  folders: 3,
  name: 8,
  download: 6,
  delete: 6,
  upload: 3
}

/** The path that a request looks up by name, relative to the synchronized folder. */
function askedPath({ path }: RelayedRequest, { base }: World): string {
  const query = new URLSearchParams(path.split('?')[1])
  const whole = [query.get('folder') ?? '', query.get('search') ?? ''].filter((part) => part !== '').join('/')
  return base === '' ? whole : whole.slice(base.length + 1)
}

/** The path of a stored file that sync deletes, if it is the only version at that path. */
async function onlyVersionAt(rig: Rig, world: World, { path }: RelayedRequest): Promise<string | null> {
  const id = path.split('/').at(-1) ?? ''
  // Ignores versions that sync itself has stored and removes again.
  if (!world.versions.some((version) => version.id === id)) return null
  for (const [place, versions] of await readStored(rig, world)) {
    if (versions.length === 1 && versions[0]?.id === id) return place
  }
  return null
}

async function attack(
  rig: Rig,
  subject: Subject,
  draw: Random,
  tally: Tally,
  counts: Counts,
  number: number
): Promise<void> {
  const direction = draw.pick<Direction>(['down', 'up'])
  const isConstant = draw.below(4) === 0
  const pageSize = draw.between(1, 3)
  const what = `run ${number}, ${direction}${isConstant ? ', edited all the time' : ''}`
  const home = await mkdtemp(join(tmpdir(), 'filewright-sync-'))
  const folder = join(home, 'here')
  await mkdir(folder)
  const spare = draw.below(2) === 0 ? null : direction === 'down' ? 'here' : 'there'
  const world = await createWorld(subject, draw, { project: `sync-${number}`, folder, spare })
  const adversary = createAdversary(world, subject, draw)
  const confirmed = new Set<string>()
  const sides = draw.pick(SIDES)
  const left = { list: draw.pick(ACTS), later: draw.pick(ACTS) }
  let isListRead = false
  let isOn = true
  let begin = (): void => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  let turn: Promise<unknown> = Promise.resolve()
  /** One after another, so that the world's records stay correct. */
  const inTurn = async (work: () => Promise<void>): Promise<void> => {
    const mine = turn.then(work)
    turn = mine.catch(() => {})
    await mine
  }
  const act = async (where: 'server' | 'disk', focus?: string): Promise<boolean> => {
    tally.injected++
    const done = await adversary.act(where, isListRead, focus)
    if (done !== null) counts.acts.set(done, (counts.acts.get(done) ?? 0) + 1)
    return done !== null
  }

  async function actBefore(request: RelayedRequest): Promise<void> {
    const kind = kindOf(request)
    if (!['recalls', 'first page', 'page', 'folders'].includes(kind)) isListRead = true
    // Without concurrent changes, it is certain that sync saw the same state.
    if (kind === 'delete' && !isConstant) {
      const path = await onlyVersionAt(rig, world, request)
      tally.expect(
        path === null || !(await readLocal(world)).has(path),
        `${what}: the only stored version of ${path} is deleted, and it is here`
      )
    }
    const phase = isListRead ? 'later' : 'list'
    const focus =
      kind === 'name'
        ? askedPath(request, world)
        : kind === 'download'
          ? world.versions.find(({ id }) => request.path.includes(id))?.path
          : undefined
    if (left[phase] > 0 && draw.below(10) < CHANCES[kind]) {
      left[phase]--
      const isDone = await act(draw.pick<'server' | 'disk'>(sides), focus)
      if (isDone && kind === 'page') {
        counts.betweenPages++
        tally.hit++
      }
    }
    if (kind !== 'name' || focus === undefined) return
    const isStored = world.versions.some((version) => version.path === focus && !version.isDeleted)
    if (!isStored) confirmed.add(focus)
    if (direction === 'down' && wasThereThroughout(world, focus)) {
      tally.violate(`${what}: the list did not have ${focus}, which was there all the time`)
    }
  }

  const relay = await startHttpRelay({
    target: rig.stack.baseUrl,
    before: async (request) => {
      const kind = kindOf(request)
      counts.requests++
      tally.operations++
      if (kind === 'page' || kind === 'first page') counts.pages++
      if (direction === 'down' && request.method !== 'GET') {
        tally.violate(`${what}: ${request.method} ${request.path}`)
      }
      if (isOn) {
        if (kind === 'delete') counts.deletedThere++
        begin()
        await inTurn(async () => await actBefore(request))
      }
      return request.path.replace(/\blimit=100\b/, `limit=${pageSize}`)
    }
  })
  const ended = async (code: number | null): Promise<Ended> => ({
    code,
    local: await readLocal(world),
    stored: await readStored(rig, world)
  })
  try {
    const editing = begun.then(async () => {
      const isEdited = (): boolean => isConstant && isOn
      for (let edits = 0; isEdited() && edits < MAX_EDITS; edits++) {
        await inTurn(async () => {
          await act('disk')
        })
        await nextTurn()
      }
    })
    const first = await runSync(relay.url, rig.stack.token, world, direction, isConstant ? 4 : 1)
    isOn = false
    begin()
    await editing
    await turn
    if (first.code !== 0) counts.refused++
    const end = await ended(first.code)
    if (direction === 'down') counts.deletedHere += deletedHere(world, end).length
    const violations =
      direction === 'down'
        ? violationsAfterDown(world, end, isConstant ? null : confirmed)
        : violationsAfterUp(world, end)
    for (const violation of violations) tally.violate(`${what}: ${violation}\n${first.said}`)

    const quiet = await runSync(relay.url, rig.stack.token, world, direction, 2)
    for (const violation of differencesBetweenSides(await ended(quiet.code))) {
      tally.violate(`${what}: ${violation}\n${quiet.said}`)
    }
    counts.runs++
  } finally {
    await relay.close()
    await rm(home, { recursive: true, force: true })
  }
}

export const syncAttacked: Row = {
  name: 'sync --delete against a client that adds, deletes and renames',
  promises: ['P17'],
  target: '500 runs, 0 files lost',
  counts: { quick: 30, full: 500 },
  // The history does not model files that are restored.
  settle: () => [],
  run: async ({ rig, tally, count, random, history, say }) => {
    const subject = rig.subject({ history, onFault: tally.violate })
    const counts: Counts = {
      runs: 0,
      requests: 0,
      pages: 0,
      acts: new Map(),
      betweenPages: 0,
      deletedHere: 0,
      deletedThere: 0,
      refused: 0
    }

    await inFlight(
      count,
      3,
      async (number) => await attack(rig, subject, random.fork(number), tally, counts, number)
    )

    const acts = [...counts.acts].map(([act, times]) => `${times} × ${act}`).join(', ')
    say(`${counts.runs} runs, ${counts.requests} requests, ${counts.pages} pages of lists`)
    say(`${acts}; ${counts.betweenPages} of them between two pages`)
    say(
      `under attack sync deleted ${counts.deletedHere} local files and ${counts.deletedThere} on the server`
    )
    say(`${counts.refused} runs left work for the next run`)
    tally.expect(
      counts.deletedHere > 0 && counts.deletedThere > 0,
      'sync never deleted anything under attack'
    )
  }
}
