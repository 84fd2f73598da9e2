import {
  createAiClient,
  createClient,
  sha256,
  uniqueText,
  type AiPath,
  type UploadOptions
} from '@filewright/acceptance'
import type { History, Operation } from './history.js'

export interface ServiceResponse {
  /** 0 if the connection broke before a response. */
  status: number
  body: any
  headers: Headers
  ms: number
  error?: string
}

export interface Upload extends ServiceResponse {
  id: string | undefined
  name: string
  project: string
  content: Buffer
}

export interface SubjectUpload extends Omit<UploadOptions, 'content'> {
  content?: Buffer | undefined
  sizeBytes?: number
  flagged?: boolean
  idempotencyKey?: string | undefined
}

/** The service as a client sees it, with every operation recorded and every response checked. */
export interface Subject {
  upload: (options?: SubjectUpload) => Promise<Upload>
  info: (id: string) => Promise<ServiceResponse>
  /** All names on all pages. */
  list: (project: string) => Promise<ServiceResponse & { names: string[] }>
  download: (id: string, via?: 'api' | 'cdn') => Promise<ServiceResponse & { sha256: string | undefined }>
  remove: (id: string) => Promise<ServiceResponse>
  /** Not in the history, which does not model restored files; the same holds for the next two methods. */
  restore: (id: string) => Promise<ServiceResponse>
  erase: (id: string) => Promise<ServiceResponse>
  /** The hash of the bytes; undefined without a 200. */
  peek: (id: string) => Promise<string | undefined>
  ai: (path: AiPath, body: object, headers?: Record<string, string>) => Promise<ServiceResponse>
}

export interface SubjectOptions {
  baseUrl: string
  token: string
  history?: History | undefined
  /** Is called for each response that violates a promise. Default: such responses are ignored. */
  onFault?: (fault: string) => void
  /** A response that takes longer is a hang. Default 60 s. */
  hangMs?: number
  /**
   * Whether connections may break without a response, because the service's process is being killed. Default:
   * never.
   */
  mayBreak?: () => boolean
}

const MAX_MS = 60_000
let uploads = 0

export function createSubject({
  baseUrl,
  token,
  history,
  onFault = () => {},
  hangMs = MAX_MS,
  mayBreak = () => false
}: SubjectOptions): Subject {
  const client = createClient(baseUrl, token)
  const aiClient = createAiClient(baseUrl, token)

  async function timed(
    op: Operation['op'],
    call: (signal: AbortSignal) => Promise<{ status: number; headers: Headers; body?: any }>
  ): Promise<ServiceResponse & Pick<Operation, 'startMs' | 'endMs'>> {
    const startMs = performance.now()
    const brokenAllowed = mayBreak()
    const ended = (
      answer: Omit<ServiceResponse, 'ms'>
    ): ServiceResponse & Pick<Operation, 'startMs' | 'endMs'> => {
      const endMs = performance.now()
      return { ...answer, ms: endMs - startMs, startMs, endMs }
    }
    try {
      const { status, headers, body } = await call(AbortSignal.timeout(hangMs))
      const answer = ended({ status, headers, body })
      const wrong = problemOfResponse(answer)
      if (wrong !== undefined) onFault(`${op}: ${wrong}`)
      return answer
    } catch (error) {
      const { cause, message, name } = error as Error & { cause?: Error }
      const answer = ended({
        status: 0,
        headers: new Headers(),
        body: undefined,
        error: cause?.message ?? message
      })
      if (name === 'TimeoutError') onFault(`${op}: no answer in ${hangMs} ms`)
      else if (!brokenAllowed && !mayBreak()) {
        onFault(`${op}: the connection broke (${answer.error ?? ''})`)
      }
      return answer
    }
  }

  const note = (operation: Operation): void => {
    history?.record(operation)
  }
  const by = ({ status, error, startMs, endMs }: ServiceResponse & Pick<Operation, 'startMs' | 'endMs'>) => ({
    status,
    error,
    startMs: round(startMs),
    endMs: round(endMs)
  })

  return {
    upload: async ({ content, sizeBytes = 2_000, flagged, idempotencyKey, ...options } = {}) => {
      const name = options.name ?? `u${process.pid}-${++uploads}.txt`
      const project = options.project ?? 'acme'
      const bytes = content ?? uniqueText(sizeBytes)
      const headers = {
        ...options.headers,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey })
      }
      const answer = await timed(
        'upload',
        async (signal) => await client.upload({ signal, ...options, headers, content: bytes, name, project })
      )
      const id = answer.status === 201 ? (answer.body.file.id as string) : undefined
      note({ op: 'upload', project, name, id, sha256: sha256(bytes), flagged, ...by(answer) })
      return { ...answer, id, name, project, content: bytes }
    },

    info: async (id) => {
      const answer = await timed(
        'info',
        async (signal) => await client.call('GET', `/api/files/${id}`, { signal })
      )
      note({ op: 'info', id, ...by(answer) })
      return answer
    },

    list: async (project) => {
      const names: string[] = []
      for (let page = 1; ; page++) {
        const answer = await timed(
          'list',
          async (signal) =>
            await client.call('GET', `/api/files?project_id=${project}&limit=100&page=${page}`, { signal })
        )
        const files = answer.status === 200 ? (answer.body.files as Array<{ name: string }>) : []
        names.push(...files.map((file) => file.name))
        if (answer.status === 200 && files.length === 100) continue
        note({ op: 'list', project, names, ...by(answer) })
        return { ...answer, names }
      }
    },

    download: async (id, via = 'api') => {
      const address = via === 'api' ? `/files/${id}/download` : `/cdn/files/${id}`
      let got: string | undefined
      const op = via === 'api' ? 'download' : 'cdn'
      const answer = await timed(op, async (signal) => {
        const response = await fetch(`${baseUrl}${address}`, {
          signal,
          headers: via === 'api' ? { authorization: `Bearer ${token}` } : {}
        })
        const bytes = Buffer.from(await response.arrayBuffer())
        if (response.status === 200) got = sha256(bytes)
        return {
          status: response.status,
          headers: response.headers,
          body: response.status < 300 ? bytes : JSON.parse(bytes.toString())
        }
      })
      note({ op, id, sha256: got, ...by(answer) })
      return { ...answer, sha256: got }
    },

    remove: async (id) => {
      const answer = await timed(
        'delete',
        async (signal) => await client.call('DELETE', `/api/files/${id}`, { signal })
      )
      note({ op: 'delete', id, ...by(answer) })
      return answer
    },

    restore: async (id) =>
      await timed(
        'delete',
        async (signal) => await client.call('POST', `/api/trash/${id}/restore`, { signal })
      ),

    erase: async (id) =>
      await timed('delete', async (signal) => await client.call('DELETE', `/api/trash/${id}`, { signal })),

    peek: async (id) => {
      const { status, bytes } = await client.download(`${baseUrl}/files/${id}/download`)
      return status === 200 ? sha256(bytes) : undefined
    },

    ai: async (path, body, headers = {}) => {
      const answer = await timed(
        path,
        async (signal) =>
          await aiClient.post(path, body, {
            signal,
            headers: { 'content-type': 'application/json', ...headers }
          })
      )
      note({ op: path, ...by(answer) })
      return answer
    }
  }
}

const round = (ms: number): number => Math.round(ms * 1000) / 1000

/** Checks the rules for every response, whatever fault was injected. */
function problemOfResponse({ status, body, headers }: Omit<ServiceResponse, 'ms'>): string | undefined {
  if (status < 400) return undefined
  const keys = Object.keys(Object(body))
  if (keys.length !== 1 || typeof body.error !== 'string') {
    return `${status} with ${JSON.stringify(body)} instead of one sentence`
  }
  if (/\n|\bat .+:\d+|\/(src|dist|node_modules)\//.test(body.error)) {
    return `${status} that tells of our insides: ${body.error as string}`
  }
  if (status === 500) return `500: ${body.error as string}`
  if ((status === 503 || status === 429) && headers.get('retry-after') === null) {
    return `${status} without Retry-After`
  }
  return undefined
}
