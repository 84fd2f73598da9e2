import { NotFoundError, type DetailedFileSummary, type Filewright } from '@filewright/client'
import { isDraft, isOfGit } from '../local-files.js'
import { filesBelow, joined, versionsOf, type RemotePath } from '../remote.js'

/** By path below the folder; files with the same name are sorted newest first, and the newest counts. */
export type RemoteTree = Map<string, DetailedFileSummary[]>

export async function readRemoteTree(client: Filewright, remote: RemotePath): Promise<RemoteTree> {
  const tree: RemoteTree = new Map()
  const above = remote.path === '' ? '' : `${remote.path}/`
  for await (const file of filesBelow(client, remote)) {
    const whole = joined(file.folder, file.name)
    // A name like that of a draft is skipped on both sides.
    if (!whole.startsWith(above) || isDraft(file.name)) continue
    const path = whole.slice(above.length)
    tree.set(path, [file, ...(tree.get(path) ?? [])])
  }
  return tree
}

/** Removes files that git would treat as its own. @returns their paths */
export function takeGitFiles(tree: RemoteTree): string[] {
  const paths = [...tree.keys()].filter(isOfGit)
  for (const path of paths) tree.delete(path)
  return paths
}

/** The versions that the service has under that name now, whatever the tree contains. */
export async function storedNow(
  client: Filewright,
  { projectId, path: above }: RemotePath,
  path: string
): Promise<DetailedFileSummary[]> {
  const versions: DetailedFileSummary[] = []
  for await (const file of versionsOf(client, { projectId, path: joined(above, path) })) versions.push(file)
  return versions
}

/** By id, so it is unambiguous. Another client may have done it already. */
export async function deleteStored(client: Filewright, id: string): Promise<void> {
  try {
    await client.files.delete(id)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
  }
}
