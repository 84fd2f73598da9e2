import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createFaults, type FaultPlan, type GcsFault, type PlannedFault } from './gcs-faults.js'
import { createObjectTable, resourceOf, type StoredObject } from './gcs-objects.js'
import { answerUpload } from './gcs-uploads.js'
import { drop, readBody, sendBytes, sendJson, sendReason } from './gcs-wire.js'

export interface GcsServerOptions {
  /** Default `test-bucket`. */
  bucket?: string
  /** A request without it gets 401. Default: no token is required. */
  accessToken?: string
}

export interface GcsServer {
  endpoint: string
  bucket: string
  objects: Map<string, StoredObject>
  /** Makes upcoming requests fail, in the planned order. */
  fail: (fault: FaultPlan) => PlannedFault
  /** `METHOD path` of every request so far. */
  requests: string[]
  /** Upload sessions that are neither finished nor cancelled. */
  openSessions: () => number
  openConnections: () => number
  /** Requests without a complete response. */
  activeRequests: () => number
  /** Resets every connection with a running request. */
  cutActive: () => void
  close: () => Promise<void>
}

const OBJECTS = /^\/storage\/v1\/b\/([^/]+)\/o(?:\/([^/]+))?$/

/** The part of Google's JSON API that storage clients use, in memory, with faults on request. */
export async function startGcsServer(options: GcsServerOptions = {}): Promise<GcsServer> {
  const { bucket = 'test-bucket', accessToken } = options
  const table = createObjectTable()
  const faults = createFaults()
  const sockets = new Set<Socket>()
  const requests: string[] = []
  const active = new Set<ServerResponse>()
  let endpoint = ''

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', endpoint)
    requests.push(`${request.method} ${url.pathname}`)
    const isKnown = accessToken === undefined || request.headers.authorization === `Bearer ${accessToken}`
    if (!isKnown) return sendReason(response, 401, 'required')
    if (url.pathname === `/upload/storage/v1/b/${bucket}/o`) {
      return await answerUpload({ bucket, table, faults, endpoint: () => endpoint }, url, request, response)
    }
    if (url.pathname === `/storage/v1/b/${bucket}`) {
      return sendJson(response, 200, { kind: 'storage#bucket', id: bucket, name: bucket })
    }
    const [, inBucket, encodedName] = OBJECTS.exec(url.pathname) ?? []
    if (inBucket !== bucket) return sendReason(response, 404, 'notFound')
    const operation = operationOf(request, url, encodedName)
    const fault = faults.next(operation)
    // Body faults affect a download's response; everything else is decided before.
    if (
      (await readBody(
        request,
        response,
        operation === 'download' && fault?.kind !== 'status' ? undefined : fault
      )) === null
    ) {
      return
    }
    const work = { list, delete: remove, metadata, download }[operation]
    await work(url, decodeURIComponent(encodedName ?? ''), request, response, fault)
  }

  type Work = (
    url: URL,
    name: string,
    request: IncomingMessage,
    response: ServerResponse,
    fault: GcsFault | undefined
  ) => Promise<void> | void

  const list: Work = (url, _name, _request, response, fault) => {
    const prefix = url.searchParams.get('prefix') ?? ''
    const from = url.searchParams.get('pageToken') ?? ''
    const limit = Number(url.searchParams.get('maxResults') ?? 1_000)
    const names = [...table.objects.keys()].filter((name) => name.startsWith(prefix) && name >= from).sort()
    const items = names.slice(0, limit).map((name) => resourceOf(table.objects.get(name)!, bucket))
    if (fault?.kind === 'drop-reply') return drop(response)
    sendJson(response, 200, {
      kind: 'storage#objects',
      items,
      ...(names.length > limit ? { nextPageToken: names[limit] } : {})
    })
  }

  const remove: Work = (url, name, _request, response, fault) => {
    const object = find(url, name)
    if (object === undefined) return sendReason(response, 404, 'notFound')
    const expected = url.searchParams.get('ifGenerationMatch')
    if (expected !== null && expected !== object.generation) {
      return sendReason(response, 412, 'conditionNotMet')
    }
    table.objects.delete(name)
    if (fault?.kind === 'drop-reply') return drop(response)
    response.writeHead(204).end()
  }

  const metadata: Work = (url, name, _request, response, fault) => {
    const object = find(url, name)
    if (fault?.kind === 'drop-reply') return drop(response)
    if (object === undefined) return sendReason(response, 404, 'notFound')
    sendJson(response, 200, resourceOf(object, bucket))
  }

  const download: Work = async (url, name, request, response, fault) => {
    const object = find(url, name)
    if (object === undefined) return sendReason(response, 404, 'notFound')
    const size = object.bytes.length
    const asked = fault?.kind === 'ignore-range' ? '' : (request.headers.range ?? '')
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(asked) ?? []
    if (first !== undefined && Number(first) >= size) {
      return sendReason(response, 416, 'requestedRangeNotSatisfiable')
    }
    const start = Number(first ?? 0) + (fault?.kind === 'shift-range' ? fault.bytes : 0)
    const wantedEnd = last === undefined || last === '' ? size - 1 : Math.min(Number(last), size - 1)
    const end = fault?.kind === 'shorten-range' ? Math.min(wantedEnd, start + fault.bytes - 1) : wantedEnd
    const bytes = object.bytes.subarray(start, end + 1)
    if (fault?.kind === 'drop-reply') return drop(response)
    if (fault?.kind === 'bare-range') {
      response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
      return
    }
    const showsGeneration = fault?.kind !== 'cut' || fault.withoutGeneration !== true
    response.writeHead(first === undefined ? 200 : 206, {
      'content-type': 'application/octet-stream',
      'content-length': bytes.length,
      ...(showsGeneration ? { 'x-goog-generation': object.generation } : {}),
      'x-goog-stored-content-length': size,
      'x-goog-hash': `crc32c=${object.crc32c},md5=none`,
      ...(first === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${size}` })
    })
    await sendBytes(response, bytes, fault)
  }

  function find(url: URL, name: string): StoredObject | undefined {
    const object = table.objects.get(name)
    const generation = url.searchParams.get('generation')
    return generation === null || generation === object?.generation ? object : undefined
  }

  const server = createServer((request, response) => {
    active.add(response)
    response.once('close', () => active.delete(response))
    answer(request, response).catch(() => {
      response.destroy()
    })
  })
  // Long enough for a client that keeps connections, short enough that a test can wait for idle ones to
  // close.
  server.keepAliveTimeout = 1_000
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    endpoint,
    bucket,
    objects: table.objects,
    fail: faults.plan,
    requests,
    openSessions: () => [...table.sessions.values()].filter(({ object }) => object === undefined).length,
    openConnections: () => sockets.size,
    activeRequests: () => active.size,
    cutActive: () => {
      for (const response of active) drop(response)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    }
  }
}

function operationOf(
  request: IncomingMessage,
  url: URL,
  name: string | undefined
): 'list' | 'delete' | 'metadata' | 'download' {
  if (name === undefined) return 'list'
  if (request.method === 'DELETE') return 'delete'
  return url.searchParams.get('alt') === 'media' ? 'download' : 'metadata'
}
