import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sha256 } from '@filewright/acceptance'
import type { Random } from '../harness/random.js'
import type { Rig } from '../harness/rig.js'
import type { Subject } from '../harness/subject.js'

/** A stored file that `sync` did not store itself. */
export interface Version {
  id: string
  path: string
  text: string
  isAtStart: boolean
  /** Stored after sync had read the list, so sync did not know about this version. */
  isUnseen: boolean
  /** By the adversary. */
  isDeleted: boolean
}

/** Both sides of one run, as recorded by the adversary. */
export interface World {
  readonly project: string
  /** The synchronized folder of the project; empty for the whole project. */
  readonly base: string
  /** Here. */
  readonly folder: string
  readonly versions: Version[]
  readonly localAtStart: Map<string, string>
  /** By path: the adversary's last local content, unless it has removed the file since. */
  readonly written: Map<string, string>
  /** Paths from which the adversary ever removed a file, locally and on the server. */
  readonly takenHere: Set<string>
  readonly takenThere: Set<string>
  /** By path: every content that was ever written to it, on either side. */
  readonly texts: Map<string, Set<string>>
  /** By sha256. */
  readonly known: Map<string, string>
}

export const PINNED = 'pinned.txt'
const FOLDERS = ['', 'a', 'a/b', 'Z é', 'a/K']

let made = 0
export const newText = (path: string): string => `${path} ${process.pid}-${++made}\n`.padEnd(60, '.')

export const newPath = (draw: Random): string => {
  const folder = draw.pick(FOLDERS)
  const name = `${draw.pick(['f', 'ä', 'K'])}${++made}.${draw.pick(['txt', 'part', 'md'])}`
  return folder === '' ? name : `${folder}/${name}`
}

export function note(world: World, path: string, text: string): void {
  world.texts.set(path, (world.texts.get(path) ?? new Set()).add(text))
  world.known.set(sha256(Buffer.from(text)), text)
}

export async function writeLocal(world: World, path: string, text: string): Promise<void> {
  const target = join(world.folder, path)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, text)
}

export async function store(
  world: World,
  subject: Subject,
  path: string,
  text: string,
  when: Pick<Version, 'isAtStart' | 'isUnseen'>
): Promise<void> {
  note(world, path, text)
  const parts = [world.base, ...path.split('/')].filter((part) => part !== '')
  const { id, status } = await subject.upload({
    project: world.project,
    folder: parts.slice(0, -1).join('/'),
    name: parts.at(-1) ?? '',
    content: Buffer.from(text)
  })
  if (id === undefined) throw new Error(`an upload answered ${status}`)
  world.versions.push({ id, path, text, ...when, isDeleted: false })
}

/**
 * Some files are the same on both sides, some differ, some are on one side only.
 *
 * @param spare the side with extra files, if that is the only difference: sync then only deletes, and no
 * copy can fail before
 */
export async function createWorld(
  subject: Subject,
  draw: Random,
  { project, folder, spare }: { project: string; folder: string; spare: 'here' | 'there' | null }
): Promise<World> {
  const world: World = {
    project,
    base: draw.pick(['', '', 'docs', 'docs/é']),
    folder,
    versions: [],
    localAtStart: new Map(),
    written: new Map(),
    takenHere: new Set(),
    takenThere: new Set(),
    texts: new Map(),
    known: new Map()
  }
  const others =
    spare === null
      ? ['differs', 'differs', 'differs', 'here', 'here', 'there', 'there']
      : [spare, spare, spare, spare, spare]
  const kinds = [...Array(7).fill('same'), ...others]
  const files = [[PINNED, 'same'], ...kinds.map((kind: string) => [newPath(draw), kind])] as Array<
    [string, string]
  >
  for (const [path, kind] of files) {
    if (kind === 'there') continue
    const text = newText(path)
    note(world, path, text)
    world.localAtStart.set(path, text)
    await writeLocal(world, path, text)
  }
  // In random order, which becomes the order of the list.
  for (const [path, kind] of draw.shuffled(files)) {
    if (kind === 'here') continue
    const same = world.localAtStart.get(path)
    const text = kind === 'same' && same !== undefined ? same : newText(path)
    await store(world, subject, path, text, { isAtStart: true, isUnseen: false })
  }
  return world
}

/** Reads the current local files, by path. */
export async function readLocal({ folder }: World): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    files.set(path.slice(folder.length + 1), await readFile(path, 'utf8'))
  }
  return files
}

/** Reads the stored versions by path, newest first, directly from the database in one snapshot. */
export async function readStored(
  rig: Rig,
  { project, base, known }: World
): Promise<Map<string, Array<{ id: string; text: string }>>> {
  const rows = await rig.sql<{ id: string; folder: string; name: string; sha256: string }>(
    `SELECT id, folder, name, sha256 FROM files WHERE project_id = $1 AND state = 'ready'
     ORDER BY created_at DESC, id DESC`,
    [project]
  )
  const stored = new Map<string, Array<{ id: string; text: string }>>()
  for (const { id, folder, name, sha256: hash } of rows) {
    const whole = folder === '' ? name : `${folder}/${name}`
    const path = base === '' ? whole : whole.slice(base.length + 1)
    const versions = stored.get(path) ?? []
    stored.set(path, [...versions, { id, text: known.get(hash) ?? `unknown bytes ${hash}` }])
  }
  return stored
}
