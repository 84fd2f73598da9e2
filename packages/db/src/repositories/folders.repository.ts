import type { Usage } from '../records.js'
import type { RunStatement, Statement } from '../statements.js'
import type { Turns } from '../turns.js'

export interface FolderSummary extends Usage {
  /** Without its parent's name. */
  name: string
}

export interface FolderOptions {
  projectId: string
  /** The parent folder; empty for the root. */
  parent: string
  /** Only names after this one. */
  after: string
  limit: number
}

export interface FoldersRepository {
  /** Direct sub-folders that contain ready files at any depth, by name; waits for the token's turn. */
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
