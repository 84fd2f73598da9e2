import { NotFoundError, type Filewright, type UploadedFile } from '@filewright/client/browser'

export interface UploadTarget {
  projectId: string
  folder: string
}

/** What to do with a file whose name is taken. */
export type Resolution = 'replace' | 'keep-both'

/** The folder has a file with this name, and nobody has said what to do. */
export class NameTakenError extends Error {
  override readonly name = 'NameTakenError'
}

/** The new file is stored, and the old one as well. */
export class NotReplacedError extends Error {
  override readonly name = 'NotReplacedError'
}

export interface StoreOptions {
  resolution?: Resolution | undefined
  signal?: AbortSignal
  retries?: number
  onProgress?: (sentBytes: number) => void
}

export interface FileStore {
  store: (file: File, target: UploadTarget, options: StoreOptions) => Promise<UploadedFile>
  /** Forgets the names of all folders: others may have changed them. */
  forget: () => void
}

/** The names of a larger folder are not all read; the service is asked about each one. */
const MAX_NAMES_READ = 2_000
const PAGE = 100

/** The ids of the files with a name; several files may have the same one. */
interface FolderNames {
  idsOf: (name: string, signal?: AbortSignal) => Promise<readonly string[]>
  add: (name: string, id: string) => void
}

/** The service stores names in this form. */
const normalized = (name: string): string =>
  name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).normalize('NFC')

const MAX_NAME_BYTES = 255
const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** `report.pdf` becomes `report (2).pdf`. A name that is as long as names may be gets shorter. */
export function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf('.')
  const end = ` (${number})${dot <= 0 ? '' : name.slice(dot)}`
  const start = [...(dot <= 0 ? name : name.slice(0, dot))]
  while (start.length > 1 && bytesOf(start.join('')) + bytesOf(end) > MAX_NAME_BYTES) start.pop()
  return start.join('') + end
}

async function readNames(
  { files }: Pick<Filewright, 'files'>,
  target: UploadTarget,
  ended: AbortSignal
): Promise<FolderNames> {
  const known = new Map<string, string[]>()
  const add = (name: string, id: string): void => {
    known.set(name, [...(known.get(name) ?? []), id])
  }
  const first = await files.list({ ...target, limit: PAGE, signal: ended })
  const isRead = first.pagination.total <= MAX_NAMES_READ
  if (first.pagination.total <= PAGE) for (const { name, id } of first.files) add(name, id)
  else if (isRead) for await (const { name, id } of files.iterate({ ...target, signal: ended })) add(name, id)
  return {
    add,
    idsOf: async (name, signal) => {
      if (isRead) return known.get(name) ?? []
      const found = new Set(known.get(name) ?? [])
      const query = { ...target, search: name, ...(signal === undefined ? {} : { signal }) }
      for await (const file of files.iterate(query)) if (file.name === name) found.add(file.id)
      return [...found]
    }
  }
}

/** Stores files without making a second one of the same name unasked. */
export function createFileStore(api: Pick<Filewright, 'files'>, ended: AbortSignal): FileStore {
  const folders = new Map<string, Promise<FolderNames>>()

  async function namesIn(target: UploadTarget): Promise<FolderNames> {
    const key = JSON.stringify([target.projectId, target.folder])
    const names = folders.get(key) ?? readNames(api, target, ended)
    folders.set(key, names)
    names.catch(() => folders.delete(key))
    return await names
  }

  async function freeName(name: string, names: FolderNames, signal?: AbortSignal): Promise<string> {
    for (let number = 2; ; number++) {
      const candidate = numbered(name, number)
      if ((await names.idsOf(candidate, signal)).length === 0) return candidate
    }
  }

  /** Only after the new file is stored. A file that is stored meanwhile stays, and so does one that got another name. */
  async function removeOld(ids: readonly string[], name: string, { folder }: UploadTarget): Promise<void> {
    // The new file is stored, so cancelling the upload comes too late: it would leave two of one name.
    const options = { signal: ended }
    for (const id of ids) {
      try {
        const old = await api.files.get(id, options)
        if (old.name === name && old.folder === folder) await api.files.delete(id, options)
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw new NotReplacedError('', { cause: error })
      }
    }
  }

  return {
    forget: () => {
      folders.clear()
    },
    store: async (file, target, { resolution, signal, onProgress, ...options }) => {
      const names = await namesIn(target)
      const given = normalized(file.name)
      const old = await names.idsOf(given, signal)
      if (old.length > 0 && resolution === undefined) throw new NameTakenError(given)
      const isKept = old.length > 0 && resolution === 'keep-both'
      const name = isKept ? await freeName(given, names, signal) : file.name
      const stored = await api.files.upload(file, {
        ...target,
        ...options,
        name,
        ...(signal === undefined ? {} : { signal }),
        onProgress: ({ bytes }) => onProgress?.(bytes)
      })
      names.add(stored.name, stored.id)
      if (resolution === 'replace') await removeOld(old, given, target)
      return stored
    }
  }
}
