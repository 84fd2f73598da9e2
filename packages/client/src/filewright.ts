import type {
  FolderSummary,
  ProjectSummary,
  Recall,
  ReceiptKeysResponse,
  ServiceResponse
} from '@filewright/contracts'
import { createAiApi, type AiApi } from './ai.js'
import { foldersAnswer, projectsAnswer, receiptKeysAnswer, serviceAnswer } from './answers.js'
import type { FilewrightError } from './errors.js'
import { createFilesApi, queryOf, type FilesApi } from './files.js'
import type { Platform } from './platform.js'
import { iterateRecalls, type RecallsOptions } from './recalls.js'
import { createTrashApi, type TrashApi } from './trash.js'
import { followEvents, type EventOptions, type ReceivedEvent } from './follow-events.js'
import { createTokensApi, type TokensApi } from './tokens.js'
import { createWebhooksApi, type WebhooksApi } from './webhooks.js'
import { createTransport, type CallOptions, type Transport } from './transport.js'

export interface FilewrightOptions {
  /** The service's address: http://localhost:3000, with or without /api. */
  baseUrl: string
  token: string
  /** Retries after the first attempt; default 4. */
  retries?: number
  /** Delay before the first retry, default 500 ms; doubled before each further one, up to 8 s. */
  retryDelayMs?: number
  /**
   * How long an unreachable service is retried; default 10 s. One that has answered before gets all retries.
   */
  connectWithinMs?: number
  onRetry?: (error: FilewrightError, pauseMs: number) => void
  /** Called with every response before its body is read, including retried ones. */
  onResponse?: (response: Response, path: string) => void
  /** Ends every call of this client: running ones, those waiting for a retry, and later ones. */
  signal?: AbortSignal
  /** Replaces the `fetch` of Node.js or the browser. */
  fetch?: typeof fetch
}

const MAX_DELAY_MS = 8_000

/** The service as one object; each entry point of the package sets its platform. */
export class FilewrightClient {
  readonly files: FilesApi
  readonly trash: TrashApi
  readonly webhooks: WebhooksApi
  readonly tokens: TokensApi
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
      // A browser's fetch must be called on its window. Redirects are returned as responses and refused.
      fetch: async (input, init) => await (own ?? fetch)(input, { ...init, redirect: 'manual' }),
      isOwnFetch: own !== undefined,
      retry: { retries, baseDelayMs: retryDelayMs, maxDelayMs: MAX_DELAY_MS, connectWithinMs },
      onRetry,
      onResponse,
      signal
    })
    this.files = createFilesApi(this.#transport)
    this.trash = createTrashApi(this.#transport)
    this.webhooks = createWebhooksApi(this.#transport)
    this.tokens = createTokensApi(this.#transport)
    this.ai = createAiApi(this.#transport)
  }

  /** The projects that the token can see, by id; at most 1,000 after `after`. */
  async projects({ after, ...options }: CallOptions & { after?: string } = {}): Promise<ProjectSummary[]> {
    const path = `/api/projects${queryOf({ after })}`
    return (await this.#transport.request('GET', path, projectsAnswer, options)).projects
  }

  /** The status of the service, and its limits. */
  async service(options: CallOptions = {}): Promise<ServiceResponse> {
    return await this.#transport.request('GET', '/api/service', serviceAnswer, options)
  }

  /**
   * The events of a project as they happen. Reconnects by itself and misses none, for as long as the service
   * keeps events.
   */
  events(options: EventOptions): AsyncGenerator<ReceivedEvent> {
    return followEvents(this.#transport, options)
  }

  /** Stored files that newer signatures withdrew and that concern the token, oldest first. */
  recalls(options: RecallsOptions = {}): AsyncGenerator<Recall> {
    return iterateRecalls(this.#transport, options)
  }

  /** The public keys of receipts, for `readTrustedKeys`. */
  async receiptKeys(options: CallOptions = {}): Promise<ReceiptKeysResponse> {
    return await this.#transport.request(
      'GET',
      '/.well-known/filewright-keys.json',
      receiptKeysAnswer,
      options
    )
  }

  /** The direct sub-folders, by name, with counts of everything below; at most 1,000 after `after`. */
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
