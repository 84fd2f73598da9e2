import { signal, type ReadonlySignal } from '@preact/signals'
import { NameTakenError, type Resolution, type UploadTarget } from './store-file.js'
import {
  placeOf,
  UnreadableError,
  type FileToUpload,
  type Upload,
  type UploadCounts,
  type UploadState
} from './upload.js'

export interface SendOptions {
  resolution: Resolution | undefined
  signal: AbortSignal
  onProgress: (sentBytes: number) => void
}

export interface UploadQueueDeps {
  /** Throws NameTakenError if the name is taken and no resolution is given. */
  send: (file: File, target: UploadTarget, options: SendOptions) => Promise<void>
  /** Called before the first file of a batch. */
  onBatch?: () => void
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
  /** Files whose names are taken, until the user says what to do. */
  conflicts: ReadonlySignal<readonly Upload[]>
  /** Changes whenever a file has been stored. */
  stored: ReadonlySignal<number>
  add: (files: readonly FileToUpload[], target: UploadTarget) => void
  /** For the first conflict, or for all of the batch. */
  resolve: (how: Resolution | 'skip', options: { forAll: boolean }) => void
  /** Files that are neither stored nor given up. */
  unfinished: () => Upload[]
  cancel: (upload: Upload) => void
  cancelAll: () => void
  retry: (upload: Upload) => void
  retryAll: () => void
  /** Clears finished entries. */
  clear: () => void
}

const nothing: UploadCounts = { total: 0, done: 0, refused: 0, failed: 0, cancelled: 0, skipped: 0 }

const joined = (folder: string, more: string): string =>
  [folder, more].filter((part) => part !== '').join('/')

/**
 * Uploads a few files at a time. Completed files are only counted, so that ten thousand files need little
 * memory.
 */
export function createUploadQueue(deps: UploadQueueDeps): UploadQueue {
  const { send, explain, concurrency, now, onBatch, signal: ended } = deps
  const counts = signal<UploadCounts>(nothing)
  const waiting = signal(0)
  const active = signal<readonly Upload[]>([])
  const troubled = signal<readonly Upload[]>([])
  const conflicts = signal<readonly Upload[]>([])
  const stored = signal(0)
  let forAll: Resolution | 'skip' | undefined
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
        resolution: upload.resolution,
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
      else if (error instanceof NameTakenError) ask(upload)
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

  function ask(upload: Upload): void {
    upload.state.value = 'asking'
    conflicts.value = [...conflicts.value, upload]
    if (forAll !== undefined) settle([upload], forAll)
  }

  function settle(uploads: readonly Upload[], how: Resolution | 'skip'): void {
    conflicts.value = conflicts.value.filter((other) => !uploads.includes(other))
    if (how === 'skip') {
      count('skipped', uploads.length)
      return
    }
    for (const upload of uploads) {
      upload.resolution = how
      upload.state.value = 'waiting'
    }
    line.unshift(...uploads)
    waiting.value = line.length
  }

  /** Two files for one name take turns, so that the second one meets the first. */
  function nextInLine(): Upload | undefined {
    const busy = new Set(active.value.map(placeOf))
    const index = line.findIndex((upload) => !busy.has(placeOf(upload)))
    return index === -1 ? undefined : line.splice(index, 1)[0]
  }

  function fill(): void {
    const begun: Upload[] = []
    while (active.value.length < concurrency) {
      const upload = nextInLine()
      if (upload === undefined) break
      begun.push(upload)
      active.value = [...active.value, upload]
    }
    waiting.value = line.length
    for (const upload of begun) void run(upload)
  }

  function cancelAll(): void {
    for (const upload of [...line.splice(0), ...conflicts.value]) end(upload, 'cancelled', '')
    conflicts.value = []
    waiting.value = 0
    for (const abort of aborts.values()) abort.abort()
  }
  ended.addEventListener('abort', cancelAll, { once: true })

  /** An answer for all files counts until the uploads end. */
  function beginBatch(): boolean {
    const isIdle = active.value.length + line.length + conflicts.value.length === 0
    if (!isIdle) return false
    forAll = undefined
    onBatch?.()
    return true
  }

  function again(uploads: readonly Upload[]): void {
    if (ended.aborted) return
    beginBatch()
    for (const upload of uploads) {
      const before = upload.state.value
      if (before === 'refused' || before === 'failed' || before === 'cancelled') count(before, -1)
      upload.state.value = 'waiting'
      upload.sentBytes.value = 0
      upload.reason.value = ''
      // The folder may have changed since.
      upload.resolution = undefined
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
    conflicts,
    stored,
    add: (files, { projectId, folder }) => {
      if (ended.aborted) return
      const isIdle = beginBatch()
      // A new batch starts counting from zero, unless results of the last one are still shown.
      const before = isIdle && troubled.value.length === 0 ? nothing : counts.value
      counts.value = { ...before, total: before.total + files.length }
      for (const { file, folder: below, isUnreadable = false } of files) {
        const upload: Upload = {
          id: nextId++,
          file,
          target: { projectId, folder: joined(folder, below) },
          resolution: undefined,
          state: signal<UploadState>('waiting'),
          sentBytes: signal(0),
          bytesPerSecond: signal(0),
          reason: signal('')
        }
        if (isUnreadable) end(upload, 'refused', explain(new UnreadableError()).reason)
        else line.push(upload)
      }
      fill()
    },
    resolve: (how, options) => {
      if (options.forAll) forAll = how
      settle(options.forAll ? conflicts.value : conflicts.value.slice(0, 1), how)
      fill()
    },
    unfinished: () => {
      const failed = troubled.value.filter(({ state }) => state.value === 'failed')
      return [...active.value, ...conflicts.value, ...line, ...failed]
    },
    cancel: (upload) => {
      aborts.get(upload.id)?.abort()
      if (!conflicts.value.includes(upload)) return
      conflicts.value = conflicts.value.filter((other) => other !== upload)
      end(upload, 'cancelled', '')
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
      const open = active.value.length + line.length + conflicts.value.length
      counts.value = { ...nothing, total: open }
    }
  }
}
