import type { FolderSummary, ProjectSummary, ServiceResponse } from '@filewright/contracts'
import { createAiApi, type AiApi } from './ai.js'
import { foldersAnswer, projectsAnswer, serviceAnswer } from './answers.js'
import type { FilewrightError } from './errors.js'
import { createFilesApi, queryOf, type FilesApi } from './files.js'
import type { Platform } from './platform.js'
import { createTransport, type CallOptions, type Transport } from './transport.js'

export interface FilewrightOptions {
  /** Where the service is: http://localhost:3000, with or without /api. */
  baseUrl: string
  token: string
  /** Tries after the first one; 4 when absent. */
  retries?: number
  /** Before the first retry, 500 ms when absent; twice that before the next, up to 8 s. */
  retryDelayMs?: number
  /** How long a service is tried that has never answered; 10 s when absent. One that did has all retries. */
  connectWithinMs?: number
  onRetry?: (error: FilewrightError, pauseMs: number) => void
  /** Called with every response before its body is read, those that are retried included. */
  onResponse?: (response: Response, path: string) => void
  /** Ends every call of this client: those under way, those that wait for a retry and later ones. */
  signal?: AbortSignal
  /** Instead of the one of Node.js or the browser. */
  fetch?: typeof fetch
}

const MAX_DELAY_MS = 8_000

/** The service as one object; each entry of the package names its platform. */
export class FilewrightClient {
  readonly files: FilesApi
  readonly ai: AiApi
  readonly #transport: Transport

  constructor(
    platform: Platform,
    {
      baseUrl,
      token,
      retries = 4,
      retryDelayMs = 500,
      connectWithinMs = 10_000,
      onRetry,
      onResponse,
      signal,
      fetch: own
    }: FilewrightOptions
  ) {
    this.#transport = createTransport({
      baseUrl,
      token,
      platform,
      // A browser's fetch works on its window alone. Redirects come back as responses and are refused.
      fetch: async (input, init) => await (own ?? fetch)(input, { ...init, redirect: 'manual' }),
      isOwnFetch: own !== undefined,
      retry: { retries, baseDelayMs: retryDelayMs, maxDelayMs: MAX_DELAY_MS, connectWithinMs },
      onRetry,
      onResponse,
      signal
    })
    this.files = createFilesApi(this.#transport)
    this.ai = createAiApi(this.#transport)
  }

  /** The projects that the token can see, by id; at most 1,000 behind `after`. */
  async projects({ after, ...options }: CallOptions & { after?: string } = {}): Promise<ProjectSummary[]> {
    const path = `/api/projects${queryOf({ after })}`
    return (await this.#transport.request('GET', path, projectsAnswer, options)).projects
  }

  /** How the service is, and its limits. */
  async service(options: CallOptions = {}): Promise<ServiceResponse> {
    return await this.#transport.request('GET', '/api/service', serviceAnswer, options)
  }

  /** The direct sub-folders, by name, with counts of everything below; at most 1,000 behind `after`. */
  async folders({
    projectId,
    folder,
    after,
    ...options
  }: CallOptions & { projectId: string; folder?: string; after?: string }): Promise<FolderSummary[]> {
    const path = `/api/folders${queryOf({ project_id: projectId, folder, after })}`
    return (await this.#transport.request('GET', path, foldersAnswer, options)).folders
  }
}
