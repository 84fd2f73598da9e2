import { signal, type ReadonlySignal, type Signal } from '@preact/signals'

export interface UploadTarget {
  projectId: string
  folder: string
}

export interface FileToUpload {
  file: File
  /** Relative to the target folder; empty for that folder itself. */
  folder: string
}

/** In state `scanning` all bytes are sent, and the service scans the file. */
export type UploadState = 'waiting' | 'sending' | 'scanning' | 'done' | 'refused' | 'failed' | 'cancelled'

export interface Upload {
  id: number
  file: File
  target: UploadTarget
  state: Signal<UploadState>
  sentBytes: Signal<number>
  bytesPerSecond: Signal<number>
  /** Why it was refused or failed. */
  reason: Signal<string>
}

export interface UploadCounts {
  total: number
  done: number
  refused: number
  failed: number
  cancelled: number
}

export interface SendOptions {
  signal: AbortSignal
  onProgress: (sentBytes: number) => void
}

export interface UploadQueueDeps {
  send: (file: File, target: UploadTarget, options: SendOptions) => Promise<void>
  /** The message for an error, and whether the refusal is final. */
  explain: (error: unknown) => { reason: string; isRefused: boolean }
  concurrency: number
  now: () => number
  /** Once aborted, nothing more is sent: waiting files are dropped, and new ones are ignored. */
  signal: AbortSignal
}

export interface UploadQueue {
  counts: ReadonlySignal<UploadCounts>
  /** The number of waiting files. */
  waiting: ReadonlySignal<number>
  active: ReadonlySignal<readonly Upload[]>
  /** Refused, failed and cancelled files, until they are retried or cleared. */
  troubled: ReadonlySignal<readonly Upload[]>
  /** Changes whenever a file has been stored. */
  stored: ReadonlySignal<number>
  add: (files: readonly FileToUpload[], target: UploadTarget) => void
  cancel: (upload: Upload) => void
  cancelAll: () => void
  retry: (upload: Upload) => void
  retryAll: () => void
  /** Clears finished entries. */
  clear: () => void
}

const nothing: UploadCounts = { total: 0, done: 0, refused: 0, failed: 0, cancelled: 0 }

const joined = (folder: string, more: string): string =>
  [folder, more].filter((part) => part !== '').join('/')

/**
 * Uploads a few files at a time. Completed files are only counted, so that ten thousand files need little
 * memory.
 */
export function createUploadQueue(deps: UploadQueueDeps): UploadQueue {
  const { send, explain, concurrency, now, signal: ended } = deps
  const counts = signal<UploadCounts>(nothing)
  const waiting = signal(0)
  const active = signal<readonly Upload[]>([])
  const troubled = signal<readonly Upload[]>([])
  const stored = signal(0)
  const line: Upload[] = []
  const aborts = new Map<number, AbortController>()
  let nextId = 1

  const count = (name: Exclude<keyof UploadCounts, 'total'>, by: number): void => {
    counts.value = { ...counts.value, [name]: counts.value[name] + by }
  }

  function end(upload: Upload, state: 'refused' | 'failed' | 'cancelled', reason: string): void {
    upload.state.value = state
    upload.reason.value = reason
    troubled.value = [...troubled.value, upload]
    count(state, 1)
  }

  async function run(upload: Upload): Promise<void> {
    const abort = new AbortController()
    const startedAt = now()
    aborts.set(upload.id, abort)
    upload.state.value = 'sending'
    try {
      await send(upload.file, upload.target, {
        signal: abort.signal,
        onProgress: (sentBytes) => {
          upload.sentBytes.value = sentBytes
          upload.bytesPerSecond.value = (sentBytes * 1_000) / Math.max(1, now() - startedAt)
          if (sentBytes >= upload.file.size) upload.state.value = 'scanning'
        }
      })
      upload.state.value = 'done'
      count('done', 1)
      stored.value++
    } catch (error) {
      if (abort.signal.aborted) end(upload, 'cancelled', '')
      else {
        const { reason, isRefused } = explain(error)
        end(upload, isRefused ? 'refused' : 'failed', reason)
      }
    } finally {
      aborts.delete(upload.id)
      active.value = active.value.filter((other) => other !== upload)
      fill()
    }
  }

  function fill(): void {
    const begun = line.splice(0, Math.max(0, concurrency - active.value.length))
    if (begun.length > 0) active.value = [...active.value, ...begun]
    waiting.value = line.length
    for (const upload of begun) void run(upload)
  }

  function cancelAll(): void {
    for (const upload of line.splice(0)) end(upload, 'cancelled', '')
    waiting.value = 0
    for (const abort of aborts.values()) abort.abort()
  }
  ended.addEventListener('abort', cancelAll, { once: true })

  function again(uploads: readonly Upload[]): void {
    if (ended.aborted) return
    for (const upload of uploads) {
      const before = upload.state.value
      if (before === 'refused' || before === 'failed' || before === 'cancelled') count(before, -1)
      upload.state.value = 'waiting'
      upload.sentBytes.value = 0
      upload.reason.value = ''
    }
    troubled.value = troubled.value.filter((other) => !uploads.includes(other))
    line.unshift(...uploads)
    fill()
  }

  return {
    counts,
    waiting,
    active,
    troubled,
    stored,
    add: (files, { projectId, folder }) => {
      if (ended.aborted) return
      for (const { file, folder: below } of files) {
        line.push({
          id: nextId++,
          file,
          target: { projectId, folder: joined(folder, below) },
          state: signal<UploadState>('waiting'),
          sentBytes: signal(0),
          bytesPerSecond: signal(0),
          reason: signal('')
        })
      }
      // A new batch starts counting from zero, unless results of the last one are still shown.
      const before =
        active.value.length + waiting.value + troubled.value.length === 0 ? nothing : counts.value
      counts.value = { ...before, total: before.total + files.length }
      fill()
    },
    cancel: (upload) => {
      aborts.get(upload.id)?.abort()
    },
    cancelAll,
    retry: (upload) => {
      again([upload])
    },
    retryAll: () => {
      again(troubled.value.filter(({ state }) => state.value !== 'refused'))
    },
    clear: () => {
      troubled.value = []
      const open = active.value.length + line.length
      counts.value = { ...nothing, total: open }
    }
  }
}
