import { lstat, writeFile } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type { Recall } from '@filewright/client'
import { hashOf } from '../local-files.js'
import { joined, type RemotePath } from '../remote.js'
import { NOTE_SUFFIX, noteOf } from '../withdrawn-note.js'
import { assertFoldersAbove } from './in-the-way.js'
import { targetOf } from './local-tree.js'

/** The path in the synchronised folder, or null if the file is elsewhere. */
function pathIn({ projectId, path }: RemotePath, recall: Recall): string | null {
  if (recall.project_id !== projectId || recall.name === null) return null
  const full = joined(recall.folder ?? '', recall.name)
  if (path === '') return full
  return full.startsWith(`${path}/`) ? full.slice(path.length + 1) : null
}

/**
 * Writes a note beside each local copy of a withdrawn file: only for a regular file inside the folder that
 * has exactly the withdrawn bytes, and only where nothing of that name exists.
 *
 * @returns the marked paths
 */
export async function markWithdrawn(
  root: string,
  remote: RemotePath,
  recalls: readonly Recall[],
  { dryRun = false } = {}
): Promise<string[]> {
  const marked: string[] = []
  for (const recall of recalls) {
    const path = pathIn(remote, recall)
    if (path === null || !resolve(root, path).startsWith(root + sep)) continue
    try {
      const target = await targetOf(root, path)
      await assertFoldersAbove(root, target)
      const facts = await lstat(target)
      if (!facts.isFile() || facts.size !== recall.size || (await hashOf(target)) !== recall.sha256) continue
      if (!dryRun) await writeFile(target + NOTE_SUFFIX, noteOf(recall), { flag: 'wx' })
      marked.push(path)
    } catch {
      // No copy here, a link in the path, a note that exists, or a folder that cannot be written: the warning
      // was already printed.
    }
  }
  return marked
}
