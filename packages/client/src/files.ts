import type {
  DetailedFileInfo,
  DetailedFileResponse,
  DetailedFileSummary,
  DetailedListFilesResponse,
  SortOrder,
  UploadedFile,
  UploadResponse
} from '@filewright/contracts'
import { downloadOf, type Download } from './download.js'
import { sourceOf, type UploadSource } from './source.js'
import { readJson, throwUnlessOk, type CallOptions, type Transport } from './transport.js'

export interface Progress {
  /** Never falls, and ends at the size. */
  bytes: number
  /** Undefined while a stream's size is not known. */
  total: number | undefined
}

export interface UploadOptions extends CallOptions {
  projectId: string
  folder?: string
  description?: string
  /** Of the stored file; that of the path or the File when absent. A stream needs it. */
  name?: string
  onProgress?: (progress: Progress) => void
}

export interface ListOptions extends CallOptions {
  projectId: string
  /** Exactly this folder, empty for the root; the whole project when absent. */
  folder?: string
  type?: string
  search?: string
  sort?: SortOrder
  page?: number
  limit?: number
}

export interface DownloadOptions extends CallOptions {
  /** Goes on from this byte if the file still has this hash; otherwise all of it comes. */
  resume?: { from: number; sha256: string }
  onProgress?: (progress: Progress) => void
}

export interface FilesApi {
  upload: (source: UploadSource, options: UploadOptions) => Promise<UploadedFile>
  get: (id: string, options?: CallOptions) => Promise<DetailedFileInfo>
  list: (options: ListOptions) => Promise<DetailedListFilesResponse>
  /** Every file, page by page. A list that changes meanwhile may show a file twice or not at all. */
  iterate: (options: Omit<ListOptions, 'page'>) => AsyncGenerator<DetailedFileSummary>
  download: (id: string, options?: DownloadOptions) => Promise<Download>
  delete: (id: string, options?: CallOptions) => Promise<void>
}

export const DETAILS = 'application/vnd.filewright+json'
const UPLOAD_TIMEOUT_MS = 600_000
const LARGEST_PAGE = 100

export function queryOf(values: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? '' : `?${query.toString()}`
}

export function createFilesApi(transport: Transport): FilesApi {
  const { platform, fetch, isOwnFetch } = transport
  const pathOf = (id: string): string => `/api/files/${encodeURIComponent(id)}`

  const list: FilesApi['list'] = async ({ projectId, folder, type, search, sort, page, limit, ...options }) =>
    await transport.request(
      'GET',
      `/api/files${queryOf({ project_id: projectId, folder, type, search, sort, page, limit })}`,
      {
        ...options,
        accept: DETAILS
      }
    )

  return {
    list,

    upload: async (given, { projectId, folder, description, name, onProgress, ...options }) => {
      const source = await sourceOf(given, platform)
      const fileName = name ?? source.name
      if (fileName === undefined) throw new TypeError('A stream needs a name')
      const fields: Array<[string, string]> = [
        ['project_id', projectId],
        ...(folder === undefined ? [] : [['folder', folder] as [string, string]]),
        ...(description === undefined ? [] : [['description', description] as [string, string]])
      ]
      let reported = -1
      const report = (bytes: number): void => {
        // A second try begins anew; what is shown does not go back.
        if (bytes > reported) onProgress?.({ bytes: (reported = bytes), total: source.size })
      }
      const { file } = (await transport.call({
        timeoutMs: UPLOAD_TIMEOUT_MS,
        ...options,
        path: '/api/files/upload',
        keyed: true,
        repeatable: source.repeatable,
        send: async (init) =>
          await platform.sendForm({
            ...init,
            fields,
            file: { name: fileName, source },
            onProgress: report,
            fetch: isOwnFetch ? fetch : undefined
          }),
        read: readJson
      })) as UploadResponse
      report(file.size)
      return file
    },

    get: async (id, options = {}) =>
      (await transport.request<DetailedFileResponse>('GET', pathOf(id), { ...options, accept: DETAILS }))
        .file,

    iterate: async function* (options) {
      const limit = options.limit ?? LARGEST_PAGE
      for (let page = 1; ; page++) {
        const { files } = await list({ ...options, page, limit })
        yield* files
        if (files.length < Math.min(limit, LARGEST_PAGE)) return
      }
    },

    download: async (id, { resume, onProgress, ...options } = {}) => {
      let size: number | undefined
      return (await transport.call({
        ...options,
        path: `${pathOf(id)}/download`,
        lasting: true,
        headers:
          resume === undefined ? {} : { range: `bytes=${resume.from}-`, 'if-range': `"${resume.sha256}"` },
        send: async ({ url, ...init }) => await fetch(url, init),
        read: async (response) => {
          await throwUnlessOk(response)
          const download = downloadOf(response, platform, (bytes) => {
            onProgress?.({ bytes, total: size })
          })
          size = download.size
          return download
        }
      })) as Download
    },

    delete: async (id, options = {}) => {
      await transport.request('DELETE', pathOf(id), options)
    }
  }
}
