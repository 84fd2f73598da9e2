import type { RunStatement, Statement } from '../statements.js'
import type { Turns } from '../turns.js'

export interface FileSelection {
  projectId: string
  ids: readonly string[]
  /** Each folder includes everything below it; the empty one is the whole project. */
  folders: readonly string[]
  limit: number
}

export interface SelectedFile {
  id: string
  folder: string
  name: string
}

export interface SelectionsRepository {
  /** The ready files of a selection, each once, in any order. Waits for the requesting token's turn. */
  list: (selection: FileSelection, tokenId: string) => Promise<SelectedFile[]>
}

/** Unnamed, so that PostgreSQL plans each call: the best plan depends on the size of the selection. */
const listSelection: Statement = {
  text: `
    SELECT id, folder, name FROM files WHERE id = ANY ($2::text[]) AND project_id = $1 AND state = 'ready'
    UNION
    SELECT files.id, files.folder, files.name FROM unnest($3::text[]) AS chosen (folder)
    JOIN files ON project_id = $1 AND state = 'ready' AND (
      chosen.folder = '' OR files.folder = chosen.folder OR starts_with(files.folder, chosen.folder || '/')
    )
    LIMIT $4`
}

export function createSelectionsRepository(run: RunStatement, turns: Turns): SelectionsRepository {
  return {
    list: async ({ projectId, ids, folders, limit }, tokenId) =>
      await turns.take(
        tokenId,
        async () =>
          await run<SelectedFile & Record<string, unknown>>(listSelection, [projectId, ids, folders, limit])
      )
  }
}
