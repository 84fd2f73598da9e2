import type { Version, World } from './world.js'

export type Stored = Map<string, Array<{ id: string; text: string }>>

export interface Ended {
  code: number | null
  local: Map<string, string>
  stored: Stored
}

const isTouchedThere = ({ versions, takenThere }: World, path: string): boolean =>
  takenThere.has(path) || versions.some((version) => version.path === path && !version.isAtStart)

const isTouchedHere = ({ written, takenHere }: World, path: string): boolean =>
  written.has(path) || takenHere.has(path)

export const wasThereThroughout = ({ versions, takenThere }: World, path: string): boolean =>
  versions.some((version) => version.path === path && version.isAtStart) && !takenThere.has(path)

/** Files that sync deleted, and not the adversary. */
export const deletedHere = (world: World, { local }: Ended): string[] =>
  [...world.localAtStart.keys()].filter((path) => !isTouchedHere(world, path) && !local.has(path))

const lastOf = (versions: readonly Version[], path: string): Version | undefined =>
  versions.findLast((version) => version.path === path && !version.isDeleted)

/** Invariants after a run in either direction, whatever happened concurrently. */
function* always(world: World, { local, stored }: Ended): Generator<string> {
  const { texts, versions, written } = world
  for (const [path, text] of local) {
    if (texts.get(path)?.has(text) !== true) {
      yield `here, ${path} has content that no one wrote there: ${text}`
    }
  }
  for (const [path, all] of stored) {
    for (const { id, text } of all) {
      if (texts.get(path)?.has(text) !== true) {
        yield `there, ${path} (${id}) has content that no one wrote there: ${text}`
      }
    }
  }
  for (const [path, text] of written) {
    if (local.get(path) !== text) {
      yield `an edit of ${path} during the run is lost: ${local.get(path) ?? 'no file'} instead of ${text}`
    }
  }
  for (const { id, path, isUnseen, isDeleted } of versions) {
    if (isUnseen && !isDeleted && !(stored.get(path) ?? []).some((version) => version.id === id)) {
      yield `${path} (${id}), which another client stored after the list was read, is deleted there`
    }
  }
}

/**
 * Violations after a sync from the server to the folder.
 *
 * @param confirmed paths that the server did not have when sync asked; null if unknown
 */
export function* violationsAfterDown(
  world: World,
  ended: Ended,
  confirmed: ReadonlySet<string> | null
): Generator<string> {
  const { localAtStart, versions, takenHere } = world
  const { local, stored, code } = ended
  yield* always(world, ended)
  for (const { id, path, isDeleted } of versions) {
    if (!isDeleted && !(stored.get(path) ?? []).some((version) => version.id === id)) {
      yield `a sync to this side deleted ${path} (${id}) on the other`
    }
  }
  for (const path of localAtStart.keys()) {
    if (wasThereThroughout(world, path) && !takenHere.has(path) && !local.has(path)) {
      yield `${path} is deleted here, and the server had it all the time`
    }
  }
  for (const path of confirmed === null ? [] : deletedHere(world, ended)) {
    if (confirmed?.has(path) !== true) {
      yield `${path} is deleted here, and nobody asked whether the server has it by now`
    }
  }
  if (code !== 0) return
  for (const { path, text } of versions) {
    if (isTouchedThere(world, path) || isTouchedHere(world, path)) continue
    if (local.get(path) !== text) {
      yield `${path} is not as the server has it, and the command said that it was`
    }
  }
}

/** Violations after a sync from the folder to the server. */
export function* violationsAfterUp(world: World, ended: Ended): Generator<string> {
  const { localAtStart, versions, written, takenHere, takenThere } = world
  const { local, stored, code } = ended
  yield* always(world, ended)
  for (const [path, text] of localAtStart) {
    if (isTouchedHere(world, path)) continue
    if (local.get(path) !== text) yield `a sync to the other side changed ${path} here`
  }
  for (const path of local.keys()) {
    if (!localAtStart.has(path) && !written.has(path)) yield `a sync to the other side made ${path} here`
  }
  for (const path of localAtStart.keys()) {
    const wasThere = versions.some((version) => version.path === path && !version.isDeleted)
    if (wasThere && !takenHere.has(path) && !takenThere.has(path) && !stored.has(path)) {
      yield `${path} is deleted there, and it was here all the time`
    }
  }
  for (const [path, text] of localAtStart) {
    if (isTouchedThere(world, path) || isTouchedHere(world, path)) continue
    const newest = stored.get(path)?.[0]?.text
    const before = lastOf(versions, path)?.text
    if (newest !== text && (code === 0 || newest !== before)) {
      yield `${path} is ${newest ?? 'not'} there, and neither as it was nor as it is here`
    }
    if (before === text && stored.get(path)?.length !== 1) yield `${path} was sent, and both were the same`
  }
}

/** Differences after an undisturbed run. */
export function* differencesBetweenSides({ local, stored, code }: Ended): Generator<string> {
  if (code !== 0) yield `an undisturbed run ended with ${code}`
  for (const path of new Set([...local.keys(), ...stored.keys()])) {
    const [here, there] = [local.get(path), stored.get(path)?.[0]?.text]
    if (here !== there) {
      yield `${path} differs after an undisturbed run: ${here} here, ${there} there`
    }
  }
}
