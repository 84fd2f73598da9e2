import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Random } from '../harness/random.js'
import type { Subject } from '../harness/subject.js'
import { newPath, newText, note, PINNED, store, writeLocal, type Version, type World } from './world.js'

const onServer = ['add', 'delete', 'rename', 'replace', 'delete', 'rename'] as const
const onDisk = ['edit in place', 'edit by rename', 'make', 'delete here', 'rename here'] as const
export type Act = (typeof onServer)[number] | (typeof onDisk)[number]

export interface Adversary {
  /**
   * Performs a random act. Returns its description, or null if there was nothing to act on.
   *
   * @param focus a path that sync is about to change
   */
  act: (where: 'server' | 'disk', isUnseen: boolean, focus?: string) => Promise<Act | null>
}

/** Simulates another client, and a user who works in the folder. */
export function createAdversary(world: World, subject: Subject, draw: Random): Adversary {
  const { folder, versions, localAtStart, written, takenHere, takenThere } = world

  /** Often a path that exists on the other side as well, because conflicts arise there. */
  const somePath = (focus: string | undefined): string => {
    if (focus !== undefined && draw.below(4) > 0) return focus
    return draw.below(4) === 0
      ? newPath(draw)
      : draw.pick([...localAtStart.keys(), ...written.keys(), ...versions.map(({ path }) => path)])
  }

  async function remove(version: Version): Promise<boolean> {
    // Recorded before it happens, because sync may read at any moment from now on.
    takenThere.add(version.path)
    const { status } = await subject.remove(version.id)
    version.isDeleted ||= status === 200
    return status === 200
  }

  async function actOnServer(
    act: (typeof onServer)[number],
    isUnseen: boolean,
    focus: string | undefined
  ): Promise<boolean> {
    const when = { isAtStart: false, isUnseen }
    if (act === 'add') {
      const path = somePath(focus)
      if (path === PINNED) return false
      await store(world, subject, path, newText(path), when)
      return true
    }
    const there = versions.filter(({ path, isDeleted }) => path !== PINNED && !isDeleted)
    if (there.length === 0) return false
    // The oldest files are on pages that sync has already read: without them, later pages shift.
    const version = draw.pick(draw.below(2) === 0 ? there.slice(0, 3) : there)
    if (act === 'rename') {
      const path = newPath(draw)
      await store(world, subject, path, version.text, when)
    }
    if (act === 'replace') await store(world, subject, version.path, newText(version.path), when)
    return await remove(version)
  }

  async function write(path: string, how: (text: string) => Promise<void>): Promise<boolean> {
    const text = newText(path)
    note(world, path, text)
    await how(text)
    written.set(path, text)
    return true
  }

  async function actOnDisk(act: (typeof onDisk)[number], focus: string | undefined): Promise<boolean> {
    if (act === 'make') {
      const path = somePath(focus)
      return path !== PINNED && (await write(path, async (text) => await writeLocal(world, path, text)))
    }
    const here = [...localAtStart.keys(), ...written.keys()]
    const path = focus !== undefined && here.includes(focus) ? focus : draw.pick(here)
    if (path === PINNED || !(await isThere(path))) return false
    const target = join(folder, path)
    switch (act) {
      case 'edit in place':
        return await write(path, async (text) => await writeLocal(world, path, text))
      case 'edit by rename':
        return await write(path, async (text) => {
          await writeLocal(world, '../saved', text)
          await rename(join(folder, '../saved'), target)
        })
      case 'delete here':
        takenHere.add(path)
        written.delete(path)
        await rm(target, { force: true })
        return true
      case 'rename here': {
        const fresh = newPath(draw)
        takenHere.add(path)
        written.delete(path)
        await mkdir(dirname(join(folder, fresh)), { recursive: true })
        await rename(target, join(folder, fresh))
        const text = await readFile(join(folder, fresh), 'utf8')
        note(world, fresh, text)
        written.set(fresh, text)
        return true
      }
    }
  }

  const isThere = async (path: string): Promise<boolean> =>
    await stat(join(folder, path)).then(
      () => true,
      () => false
    )

  return {
    act: async (where, isUnseen, focus) => {
      const any: readonly Act[] = where === 'server' ? onServer : onDisk
      // Recreates a file that is about to be deleted.
      const again: Act = where === 'server' ? 'add' : 'make'
      const act = draw.pick(focus === undefined ? any : [again, again, ...any])
      const isDone = onServer.includes(act as never)
        ? await actOnServer(act as (typeof onServer)[number], isUnseen, focus)
        : await actOnDisk(act as (typeof onDisk)[number], focus).catch((error: NodeJS.ErrnoException) => {
            // Sync has moved it aside at this moment.
            if (error.code !== 'ENOENT') throw error
            return false
          })
      return isDone ? act : null
    }
  }
}
