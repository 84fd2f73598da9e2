import type { Filewright, FolderSummary } from '@filewright/client/browser'
import { joinFolder } from '../format.js'

export interface FolderPlace {
  projectId: string
  folder: string
}

/** The direct sub-folders, on all pages. */
async function* subfolders(
  api: Pick<Filewright, 'folders'>,
  place: FolderPlace,
  signal: AbortSignal
): AsyncGenerator<FolderSummary> {
  let after: string | undefined
  while (true) {
    const page = await api.folders({ ...place, signal, ...(after === undefined ? {} : { after }) })
    yield* page
    after = page.at(-1)?.name
    if (after === undefined) return
  }
}

/** The ids of all files in a folder and in every folder below it. */
export async function* idsBelow(
  api: Pick<Filewright, 'folders' | 'files'>,
  place: FolderPlace,
  signal: AbortSignal
): AsyncGenerator<string> {
  for await (const { id } of api.files.iterate({ ...place, signal })) yield id
  for await (const { name } of subfolders(api, place, signal)) {
    yield* idsBelow(api, { ...place, folder: joinFolder(place.folder, name) }, signal)
  }
}

/** The number of files in a folder and below, as its parent folder counts them. */
export async function countBelow(
  api: Pick<Filewright, 'folders'>,
  { projectId, folder }: FolderPlace,
  signal: AbortSignal
): Promise<number> {
  const slash = folder.lastIndexOf('/')
  const above = { projectId, folder: folder.slice(0, Math.max(0, slash)) }
  for await (const { name, files } of subfolders(api, above, signal)) {
    if (name === folder.slice(slash + 1)) return files
  }
  return 0
}
