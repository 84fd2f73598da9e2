import { AppError } from '@filewright/runtime'
import { table, type AdminAdapters, type Command } from './command.js'
import { assertOwnStore } from './own-store.js'
import { findings, type Findings } from './reconcile-findings.js'
import { repair, type Removed } from './reconcile-repair.js'

/** More than either may mean a larger problem than a few lost bytes, so an operator has to confirm. */
const MAX_SHARE = 0.1
const MOST = 1_000
const SHOWN = 20

/** Compares records and stored bytes in both directions. */
export const reconcile: Command = async (adapters, _argument, { fix = false, yes = false }, { say }) => {
  await assertOwnStore(adapters)
  if (fix && (await adapters.database().installation.find())?.moveId != null) {
    const message = 'A move to another store is under way. End it first (store finish). Nothing was changed.'
    return { json: { fixed: false, refused: true, reason: message }, text: message, refused: true }
  }
  const found = await findings(adapters, { olderThan: new Date(Date.now() - adapters.graceMs) })
  assertNotEmpty(adapters, found)
  const noRecords = found.records === 0 && found.blobs > 0
  const refused = fix && !yes && (noRecords || isTooMuch(found))
  let removed: Removed = { blobs: 0, records: 0 }
  if (fix && !refused && toRemove(found) > 0) {
    say(plan(found))
    removed = await repair(adapters, found)
  }
  const unsolved = found.damaged.length + toRemove(found) - removed.blobs - removed.records
  return {
    json: { ...found, fixed: fix && !refused, refused, removed },
    text: [summary(found), ...advice(found, { fix, refused, removed })].join('\n\n'),
    failed: unsolved > 0 || (noRecords && !yes),
    refused
  }
}

/** The store has a marker but no files: someone emptied it, and every record would look lost. */
function assertNotEmpty(adapters: AdminAdapters, { records, blobs }: Findings): void {
  if (records === 0 || blobs > 0) return
  const { store, database } = adapters.places()
  throw new AppError(
    'STORE_MISMATCH',
    `The blob store (${store}) is empty, but the database (${database}) ` +
      `has ${records} files. Nothing was changed. Restore the bytes from a backup.`
  )
}

const toRemove = ({ orphans, lost }: Findings): number => orphans.length + lost.length

function isTooMuch({ records, blobs, orphans, lost }: Findings): boolean {
  const exceeds = (count: number, all: number): boolean => count > MOST || count > all * MAX_SHARE
  return exceeds(lost.length, records) || exceeds(orphans.length, blobs)
}

function plan({ records, blobs, orphans, lost }: Findings): string {
  return (
    `Removing ${orphans.length} of ${blobs} blobs, which no record names, ` +
    `and ${lost.length} of ${records} records, whose bytes are gone.`
  )
}

function summary({ records, blobs, orphans, lost, damaged }: Findings): string {
  const counts = table(
    ['CHECKED', 'COUNT'],
    [
      ['stored files', String(records)],
      ['stored blobs', String(blobs)],
      ['blobs without a record', String(orphans.length)],
      ['files without their bytes', String(lost.length)],
      ['files of another size than stored', String(damaged.length)]
    ]
  )
  const rows = [
    ...orphans.map((key) => ['no record', key, '', '']),
    ...lost.map(({ id, projectId, name }) => ['no bytes', id, projectId, name]),
    ...damaged.map(({ id, projectId, name }) => ['other size', id, projectId, name])
  ]
  if (rows.length === 0) return counts
  const more = rows.length > SHOWN ? `\n… and ${rows.length - SHOWN} more: --json lists all` : ''
  return `${counts}\n\n${table(['WHAT', 'ID', 'PROJECT', 'NAME'], rows.slice(0, SHOWN))}${more}`
}

interface Done {
  fix: boolean
  refused: boolean
  removed: Removed
}

const RESTORE_FIRST =
  'Restore what is missing from a backup first; ' + 'reconcile --fix then removes what belongs to nothing.'
/** Also when the blobs are too young to be removed: it is the records that are missing. */
const NO_RECORDS =
  'The database has no files, but the blob store has. If this follows a restore, the records were not ' +
  'restored: do that first.'
const DAMAGED =
  'Files of another size are never served whole. ' + 'Restore their bytes from a backup, or delete them.'

function advice(found: Findings, { fix, refused, removed }: Done): string[] {
  const { orphans, blobs, lost, records, damaged } = found
  const lines: string[] = []
  if (records === 0 && blobs > 0) lines.push(NO_RECORDS)
  if (refused) {
    lines.push(
      `Nothing was changed: ${orphans.length} of ${blobs} blobs and ${lost.length} of ${records} ` +
        'records would be removed. One side may have been restored from an older backup. Check first, then confirm with --yes.'
    )
  } else if (fix && toRemove(found) > 0) {
    lines.push(
      `Fixed: ${removed.blobs} blobs without a record are removed, ` +
        `${removed.records} files without their bytes answer 404.`
    )
  } else if (toRemove(found) > 0) lines.push(RESTORE_FIRST)
  if (damaged.length > 0) lines.push(DAMAGED)
  return lines
}
