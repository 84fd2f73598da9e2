import { signal, type ReadonlySignal, type Signal } from '@preact/signals'
import { ConnectionError, Filewright } from '@filewright/client/browser'
import { createWorkspace, type Workspace } from '../editor/workspace.js'
import { explainUpload } from '../explain-error.js'
import type { Route } from '../routes.js'
import { createFileStore, type FileStore } from '../uploads/store-file.js'
import { createUploadQueue, type UploadQueue } from '../uploads/upload-queue.js'
import { createDrops, type Drops } from '../uploads/drops.js'
import type { Address } from './address.js'
import { allowanceOf, type Allowance } from './allowance.js'
import type { LostDraft } from './draft-store.js'

/** Why a call is being retried. */
export type Retrying = 'connection' | 'busy' | null

/**
 * Everything that belongs to one signed-in user: the client with the token, its running work, and what views
 * share. A view that keeps state longer than it is shown keeps it here. When the session ends, everything
 * stops and is dropped with this object; the next user gets a new one.
 */
export interface Session {
  id: string
  api: Filewright
  /** Stores a single file; `uploads` uses it for many. */
  store: FileStore['store']
  uploads: UploadQueue
  drops: Drops
  workspace: Workspace
  /** Code of tabs that have crashed or were closed. */
  lostDrafts: Signal<readonly LostDraft[]>
  /** Headers of the newest response. */
  headers: ReadonlySignal<Headers | null>
  /** For AI requests, from their newest response. */
  aiAllowance: ReadonlySignal<Allowance | null>
  retrying: ReadonlySignal<Retrying>
  navigate: (route: Route) => void
  /** Changes the URL without a new history entry. */
  replace: (route: Route) => void
  /** Aborted when the session ends. */
  signal: AbortSignal
  end: () => void
}

export interface SessionOptions {
  id: string
  baseUrl: string
  token: string
  address: Pick<Address, 'navigate' | 'replace'>
  /** The service answered 401. */
  onRefused: () => void
}

/** Enough to keep a scanner busy. More would only slow each one down. */
const UPLOADS_AT_ONCE = 4
/** A restarting gateway is back in seconds, but the work it was doing stays locked for half a minute. */
const UPLOAD_RETRIES = 15

const AI_WORK = /\/api\/ai\/(generate|analyze|optimize)$/

export function createSession({ id, baseUrl, token, address, onRefused }: SessionOptions): Session {
  const ending = new AbortController()
  const headers = signal<Headers | null>(null)
  const aiAllowance = signal<Allowance | null>(null)
  const retrying = signal<Retrying>(null)

  function connected(): void {
    retrying.value = null
  }

  const api = new Filewright({
    baseUrl,
    token,
    signal: ending.signal,
    // After the last failure the caller reports it; before that, `onRetry` is called.
    fetch: async (...call) => await fetch(...call).finally(connected),
    onRetry: (error) => {
      retrying.value = error instanceof ConnectionError ? 'connection' : 'busy'
    },
    onResponse: (response, path) => {
      headers.value = response.headers
      if (AI_WORK.test(path)) aiAllowance.value = allowanceOf(response.headers)
      if (response.status === 401) onRefused()
    }
  })

  const files = createFileStore(api, ending.signal)

  return {
    id,
    api,
    store: async (...call) => {
      files.forget()
      return await files.store(...call)
    },
    uploads: createUploadQueue({
      concurrency: UPLOADS_AT_ONCE,
      signal: ending.signal,
      now: () => performance.now(),
      explain: explainUpload,
      onBatch: files.forget,
      send: async (file, target, options) => {
        await files.store(file, target, {
          ...options,
          retries: UPLOAD_RETRIES,
          onProgress: (bytes) => {
            connected()
            options.onProgress(bytes)
          }
        })
      }
    }),
    drops: createDrops(ending.signal),
    workspace: createWorkspace(),
    lostDrafts: signal<readonly LostDraft[]>([]),
    headers,
    aiAllowance,
    retrying,
    // A timer or a late response of an ended session must not affect the next user.
    navigate: (to) => {
      if (!ending.signal.aborted) address.navigate(to)
    },
    replace: (to) => {
      if (!ending.signal.aborted) address.replace(to)
    },
    signal: ending.signal,
    end: () => {
      ending.abort(new DOMException('The session has ended', 'AbortError'))
    }
  }
}

/** The engine of the newest response: a model, the analyzers, or the sandbox. */
export const engineOf = ({ headers }: Pick<Session, 'headers'>): string =>
  headers.value?.get('x-engine') ?? ''
