import type {
  DetailedFileInfo,
  DetailedFileSummary,
  DetailedListFilesResponse,
  ReceiptResponse,
  SortOrder,
  UploadedFile,
  UploadResponse
} from '@filewright/contracts'
import { deleteAnswer, fileAnswer, filesAnswer, receiptAnswer, uploadAnswer } from './answers.js'
import { downloadOf, nameOf, type Download } from './download.js'
import { badAnswer, fileName } from './checks.js'
import { MAX_PAGE, walk } from './pages.js'
import { sourceOf, type UploadSource } from './source.js'
import { readAnswer, throwUnlessOk, type CallOptions, type Transport } from './transport.js'

export interface Progress {
  /** Never decreases, and ends at the size. */
  bytes: number
  /** Undefined while a stream's size is unknown. */
  total: number | undefined
}

export interface UploadOptions extends CallOptions {
  projectId: string
  folder?: string
  description?: string
  /** The name of the stored file; by default that of the path or the File. Required for a stream. */
  name?: string
  onProgress?: (progress: Progress) => void
}

export interface ListOptions extends CallOptions {
  projectId: string
  /** Exactly this folder, empty for the root; by default the whole project. */
  folder?: string
  type?: string
  search?: string
  sort?: SortOrder
  page?: number
  limit?: number
}

interface PageOptions extends ListOptions {
  after?: string
}

export interface DownloadOptions extends CallOptions {
  /** Continues at this byte if the file still has this hash; otherwise downloads all of it. */
  resume?: { from: number; sha256: string }
  onProgress?: (progress: Progress) => void
}

/** Without `folders` and `files`: everything in `folder` and below it. */
export interface ZipOptions extends CallOptions {
  projectId: string
  /** Names in the archive are relative to it; default the root of the project. */
  folder?: string
  /** Each with everything below it. */
  folders?: readonly string[]
  /** Ids. */
  files?: readonly string[]
  /** Only entries after this name, to continue a broken download. */
  after?: string
  onProgress?: (bytes: number) => void
}

export interface ZipDownload {
  name: string
  /** Fails when the download breaks off. */
  body: ReadableStream<Uint8Array>
}

export interface FilesApi {
  upload: (source: UploadSource, options: UploadOptions) => Promise<UploadedFile>
  get: (id: string, options?: CallOptions) => Promise<DetailedFileInfo>
  list: (options: ListOptions) => Promise<DetailedListFilesResponse>
  /**
   * Every file, page by page. A file that exists throughout is returned exactly once, whatever is stored or
   * deleted in the meantime; a file that is stored in the meantime may be missing. Fails rather than end
   * early.
   */
  iterate: (options: Omit<ListOptions, 'page'>) => AsyncGenerator<DetailedFileSummary>
  /** A signed statement of the newest scan, as `verifyReceipt` reads it. */
  receipt: (id: string, options?: CallOptions) => Promise<ReceiptResponse>
  download: (id: string, options?: DownloadOptions) => Promise<Download>
  /** Many files as one ZIP archive, by name. A file that is deleted meanwhile is left out. */
  zip: (options: ZipOptions) => Promise<ZipDownload>
  /** Renames or moves the file. Its id and addresses stay. */
  change: (
    id: string,
    changes: { name?: string; folder?: string },
    options?: CallOptions
  ) => Promise<DetailedFileInfo>
  /** Moves the file to the trash, or deletes it permanently if the service has none. */
  delete: (id: string, options?: CallOptions) => Promise<void>
}

export const DETAILS = 'application/vnd.filewright+json'
const UPLOAD_TIMEOUT_MS = 600_000

export function queryOf(values: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? '' : `?${query.toString()}`
}

function counted(
  body: ReadableStream<Uint8Array>,
  onProgress: ZipOptions['onProgress']
): ReadableStream<Uint8Array> {
  let bytes = 0
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        controller.enqueue(chunk)
        onProgress?.((bytes += chunk.byteLength))
      }
    })
  )
}

export function createFilesApi(transport: Transport): FilesApi {
  const { platform, fetch, isOwnFetch } = transport
  const pathOf = (id: string): string => `/api/files/${encodeURIComponent(id)}`

  const listPath = ({ projectId, folder, type, search, sort, page, after, limit }: PageOptions): string =>
    `/api/files${queryOf({ project_id: projectId, folder, type, search, sort, page, after, limit })}`

  return {
    receipt: async (id, options = {}) =>
      await transport.request('GET', `${pathOf(id)}/receipt`, receiptAnswer, options),

    list: async (options) =>
      await transport.request('GET', listPath(options), filesAnswer, { ...options, accept: DETAILS }),

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
        // A second attempt starts over; the reported progress does not decrease.
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
        read: async (response) => await readAnswer(response, uploadAnswer)
      })) as UploadResponse
      report(file.size)
      return file
    },

    get: async (id, options = {}) =>
      (await transport.request('GET', pathOf(id), fileAnswer, { ...options, accept: DETAILS })).file,

    iterate: async function* (options) {
      const { page: _none, ...list } = { limit: MAX_PAGE, ...options } as ListOptions
      const { signal, timeoutMs, retries } = list
      const ofCall = {
        ...(signal === undefined ? {} : { signal }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(retries === undefined ? {} : { retries })
      }
      const pathAfter = (after: string): string => listPath({ ...list, after })
      yield* walk(transport, pathAfter, filesAnswer, { ...ofCall, accept: DETAILS })
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

    zip: async ({ projectId, folder, folders, files, after, onProgress, ...options }) =>
      (await transport.call({
        ...options,
        path: '/api/files/zip',
        lasting: true,
        headers: { 'content-type': 'application/json' },
        send: async ({ url, ...init }) =>
          await fetch(url, {
            method: 'POST',
            body: JSON.stringify({ project_id: projectId, folder, folders, files, after }),
            ...init
          }),
        read: async (response) => {
          await throwUnlessOk(response)
          const name = nameOf(response.headers.get('content-disposition') ?? '')
          fileName(name, 'the name in Content-Disposition')
          if (response.body === null) throw badAnswer('the archive has no body')
          return { name, body: counted(response.body, onProgress) }
        }
      })) as ZipDownload,

    change: async (id, { name, folder }, options = {}) =>
      (await transport.patch(pathOf(id), { name, folder }, fileAnswer, { ...options, accept: DETAILS })).file,

    delete: async (id, options = {}) => {
      await transport.request('DELETE', pathOf(id), deleteAnswer, options)
    }
  }
}
