import type { Usage } from '../records.js'
import type { RunStatement, Statement } from '../statements.js'
import type { Turns } from '../turns.js'

export interface FolderSummary extends Usage {
  /** Without its parent's. */
  name: string
}

export interface FolderOptions {
  projectId: string
  /** Whose sub-folders; empty for the root's. */
  parent: string
  /** Only names behind this one. */
  after: string
  limit: number
}

export interface FoldersRepository {
  /** Direct sub-folders that hold ready files at any depth, by name; in the turn of the token that asks. */
  list: (options: FolderOptions, tokenId: string) => Promise<FolderSummary[]>
}

const listFolders: Statement = {
  name: 'folders-list',
  text: `
    SELECT name, sum(ready)::float8 AS files, sum(bytes)::float8 AS bytes FROM folder_file_counts
    WHERE project_id = $1 AND parent = $2 AND name > $3
    GROUP BY name HAVING sum(ready) > 0 ORDER BY name LIMIT $4`
}

export function createFoldersRepository(run: RunStatement, turns: Turns): FoldersRepository {
  return {
    list: async ({ projectId, parent, after, limit }, tokenId) =>
      await turns.take(
        tokenId,
        async () =>
          await run<FolderSummary & Record<string, unknown>>(listFolders, [projectId, parent, after, limit])
      )
  }
}
