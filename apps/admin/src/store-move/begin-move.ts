import { realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { storageClasses, type BlobStore } from '@filewright/blob-store'
import type { InstallationRecord } from '@filewright/db'
import { formatMarker, parseMarker, type ConfiguredStore, type StoreView } from '@filewright/domain'
import { AppError, createId } from '@filewright/runtime'
import { UsageError, type AdminAdapters } from '../command.js'
import { assertOwnStore } from '../own-store.js'
import { mirrorIsMissing } from './describe-move.js'

export interface Move {
  moveId: string
  view: StoreView
}

const refused = (reason: string): AppError =>
  new AppError('STORE_MISMATCH', `${reason}. Nothing was changed.`)

const isAddress = (text: string): boolean => /^[a-z0-9]+:\/\//.test(text)

/** The store that `--to` names. Both may have the same name, on two servers: then the one that is not the current. */
function targetOf(adapters: AdminAdapters, to: string | undefined, { current }: StoreView): ConfiguredStore {
  const { stores } = adapters.stores()
  if (to === undefined) throw new UsageError('store copy needs --to and the store to copy to')
  if (stores.length < 2) {
    throw new UsageError(
      'store copy needs the settings of the other store with the prefix SECOND_, like SECOND_S3_BUCKET, and so do ' +
        'all gateways and scan workers'
    )
  }
  const wanted = isAddress(to) ? to.replace(/\/+$/, '') : resolve(to)
  const addresses = adapters.storeAddresses()
  const named = stores.filter((_store, i) => addresses[i] === wanted)
  const target = named.find((store) => store !== current) ?? named[0]
  if (target === undefined) {
    throw new UsageError(`--to names ${wanted}, but the settings name ${addresses.join(' and ')}`)
  }
  if (target === current) throw refused(`${wanted} is the current store already`)
  return target
}

/** Without links, also if only a parent exists. */
async function realFolder(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(await realFolder(parent), basename(path))
  }
}

const isInside = (inner: string, outer: string): boolean => !/^(\.\.(\/|$)|$)/.test(relative(outer, inner))

/** The last step of a move is to remove the old store, and everything in it. */
async function assertApart(adapters: AdminAdapters): Promise<void> {
  const addresses = adapters.storeAddresses()
  if (addresses.some(isAddress)) return
  const [first = '', second = ''] = await Promise.all(addresses.map(realFolder))
  if (isInside(first, second) || isInside(second, first)) {
    throw refused(`One of the two folders is inside the other (${addresses.join(' and ')})`)
  }
}

async function isEmpty(blobs: Pick<BlobStore, 'list'>): Promise<boolean> {
  const entries = blobs.list()[Symbol.asyncIterator]()
  const first = await entries.next()
  await entries.return?.()
  return first.done === true
}

/** The id of the target. A new target is marked; one of another installation is refused. */
async function mark({ blobs, name }: ConfiguredStore, record: InstallationRecord): Promise<string> {
  if ((await blobs.marker.read()) === null) {
    if (!(await isEmpty(blobs))) {
      throw refused(`The target (${name}) has files, but no marker of this installation`)
    }
    await blobs.marker.create(formatMarker({ installation: record.id, store: createId() }))
  }
  const marker = parseMarker((await blobs.marker.read()) ?? '')
  if (marker?.installation !== record.id) {
    throw refused(`The target (${name}) belongs to another installation`)
  }
  if (marker.store === record.storeId) {
    throw refused(
      `The target (${name}) is the current store under another name, or a copy of it with its marker`
    )
  }
  return marker.store
}

/** A store that refuses the class of a project would get none of its files. */
async function assertKeepsClasses(adapters: AdminAdapters, { blobs, name }: ConfiguredStore): Promise<void> {
  for (const { storageClass: inUse, projectId } of await adapters.database().projects.storageClasses()) {
    const storageClass = storageClasses.find((known) => known === inUse)
    if (storageClass === undefined) continue
    try {
      await blobs.probe(undefined, { storageClass })
    } catch (error) {
      throw refused(
        `The target (${name}) does not take files of the storage class ${storageClass}, which the project ` +
          `${projectId} has: ${(error as Error).message}. The bucket's own class would be: npm run admin -- ` +
          `project storage-class ${projectId} --class default`
      )
    }
  }
}

/** Begins a move, or continues the one that is under way. Every step may be interrupted and repeated. */
export async function beginMove(adapters: AdminAdapters, to: string | undefined): Promise<Move> {
  const set = adapters.stores()
  const { installation, moves } = adapters.database()
  await assertOwnStore(adapters)
  const target = targetOf(adapters, to, set.last())
  const record = await installation.find()
  if (record === null || record.storeId === null) throw refused('The database has no store yet')
  if (record.moveId === null) {
    await assertApart(adapters)
    await assertKeepsClasses(adapters, target)
    const mirrorId = await mark(target, record)
    // Scan workers seal verdicts with the secret of either store.
    await target.blobs.secret.replace(await set.last().current.blobs.secret.ensure())
    await moves.begin({ moveId: createId(), storeId: record.storeId, mirrorId })
  }
  const view = await set.follow()
  if (view.mirrorProblem !== null) throw refused(mirrorIsMissing(view.mirrorProblem))
  if (view.moveId === null || view.mirror !== target) {
    throw refused('Another move is under way (store show). End it first (store finish)')
  }
  return { moveId: view.moveId, view }
}
