import { table, type AdminFlags, type AdminParts, type Answer } from './command.js'
import { findings, type Findings } from './reconcile-findings.js'

/** Above both, something larger is wrong than a few lost bytes: a wrong bucket, a disk that is not mounted. */
const MANY_LOST = 10
const LOST_SHARE = 0.05
const SHOWN = 20

/** Records and stored bytes, compared both ways. */
export async function reconcile (parts: AdminParts, _argument: string | undefined, { fix = false, force = false }: AdminFlags): Promise<Answer> {
  const found = await findings(parts, { olderThan: new Date(Date.now() - parts.graceMs) })
  const suspicious = found.lost.length > MANY_LOST && found.lost.length > found.records * LOST_SHARE
  const refused = fix && suspicious && !force
  const fixed = fix && !refused ? await repair(parts, found) : { orphans: 0, lost: 0 }
  const unsolved = found.damaged.length + (found.orphans.length - fixed.orphans) + (found.lost.length - fixed.lost)
  return {
    json: { ...found, fixed: fix && !refused, refused },
    text: [summary(found), ...advice(found, { fix, refused })].join('\n\n'),
    failed: unsolved > 0
  }
}

/** Through the sweeper and the state machine, as everything else is removed: an upload or a delete that comes in between wins. */
async function repair (parts: AdminParts, found: Findings): Promise<{ orphans: number, lost: number }> {
  const { files } = parts.database()
  await parts.sweeper().sweep()
  for (const { id } of found.lost) {
    if (await files.markDeleting(id)) await files.remove(id)
  }
  return { orphans: found.orphans.length, lost: found.lost.length }
}

function summary ({ records, blobs, orphans, lost, damaged }: Findings): string {
  const counts = table(['CHECKED', 'COUNT'], [
    ['ready files', String(records)],
    ['stored blobs', String(blobs)],
    ['blobs without a record', String(orphans.length)],
    ['files without their bytes', String(lost.length)],
    ['files of another size than stored', String(damaged.length)]
  ])
  const rows = [
    ...orphans.map((key) => ['no record', key, '', '']),
    ...lost.map(({ id, projectId, name }) => ['no bytes', id, projectId, name]),
    ...damaged.map(({ id, projectId, name }) => ['other size', id, projectId, name])
  ]
  if (rows.length === 0) return counts
  const more = rows.length > SHOWN ? `\n… and ${rows.length - SHOWN} more: --json lists all` : ''
  return `${counts}\n\n${table(['WHAT', 'ID', 'PROJECT', 'NAME'], rows.slice(0, SHOWN))}${more}`
}

function advice ({ orphans, lost, damaged }: Findings, { fix, refused }: { fix: boolean, refused: boolean }): string[] {
  const lines: string[] = []
  if (refused) lines.push('Nothing was changed: so many files lack their bytes that this may be the wrong bucket or an empty disk. Look first; --force does it all the same.')
  else if (fix && orphans.length + lost.length > 0) lines.push('Fixed: blobs without a record are removed, files without their bytes answer 404.')
  else if (orphans.length + lost.length > 0) lines.push('Restore what is missing from a backup first; reconcile --fix then removes what belongs to nothing.')
  if (damaged.length > 0) lines.push('Files of another size are never served whole. Restore their bytes from a backup, or delete them.')
  return lines
}
