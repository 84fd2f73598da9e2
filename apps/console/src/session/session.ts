import { signal, type ReadonlySignal, type Signal } from '@preact/signals'
import { allowanceOf, bulkPauseMs, type Allowance } from '@filewright/contracts'
import {
  ConnectionError,
  Filewright,
  TooManyRequestsError,
  type ServicePart
} from '@filewright/client/browser'
import { createWorkspace, type Workspace } from '../editor/workspace.js'
import { explainUpload } from '../explain-error.js'
import type { Route } from '../routes.js'
import { createFileStore, type FileStore } from '../uploads/store-file.js'
import { createUploadQueue, type UploadQueue } from '../uploads/upload-queue.js'
import { createDrops, type Drops } from '../uploads/drops.js'
import { createWebhookWork, type WebhookWork } from './webhook-work.js'
import type { Address } from './address.js'
import { createForms, type Forms } from './forms.js'
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
  forms: Forms
  webhooks: WebhookWork
  /** Code of tabs that have crashed or were closed. */
  lostDrafts: Signal<readonly LostDraft[]>
  /** The components of the service, as last reported. */
  parts: Signal<readonly ServicePart[]>
  /** Headers of the newest response. */
  headers: ReadonlySignal<Headers | null>
  /** For AI requests, from their newest response. */
  aiAllowance: ReadonlySignal<Allowance | null>
  retrying: ReadonlySignal<Retrying>
  /** In `Date.now` time: until then calls wait, because the service has refused them for their number. */
  limitedUntil: ReadonlySignal<number>
  /** Until then uploads wait, so that the user's other requests are not refused. */
  pacedUntil: ReadonlySignal<number>
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
  const limitedUntil = signal(0)
  const pacedUntil = signal(0)
  let requests: Allowance | null = null

  function connected(): void {
    retrying.value = null
  }

  const api = new Filewright({
    baseUrl,
    token,
    signal: ending.signal,
    // After the last failure the caller reports it; before that, `onRetry` is called.
    fetch: async (...call) => await fetch(...call).finally(connected),
    onRetry: (error, pauseMs) => {
      if (error instanceof TooManyRequestsError) limitedUntil.value = Date.now() + pauseMs
      else retrying.value = error instanceof ConnectionError ? 'connection' : 'busy'
    },
    onResponse: (response, path) => {
      headers.value = response.headers
      if (AI_WORK.test(path)) aiAllowance.value = allowanceOf(response.headers)
      else requests = allowanceOf(response.headers)
      if (response.status === 401) onRefused()
    }
  })

  const files = createFileStore(api, ending.signal)

  async function leaveRoom(stopped: AbortSignal): Promise<void> {
    const pauseMs = bulkPauseMs(requests)
    if (pauseMs === 0) return
    pacedUntil.value = Date.now() + pauseMs
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, pauseMs)
      stopped.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(stopped.reason as Error)
      })
    })
  }

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
        await leaveRoom(options.signal)
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
    forms: createForms(),
    webhooks: createWebhookWork(ending.signal),
    lostDrafts: signal<readonly LostDraft[]>([]),
    parts: signal<readonly ServicePart[]>([]),
    headers,
    aiAllowance,
    retrying,
    limitedUntil,
    pacedUntil,
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
