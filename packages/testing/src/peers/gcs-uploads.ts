import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  resourceOf,
  type CreateOutcome,
  type ObjectResource,
  type ObjectTable,
  type UploadSession
} from './gcs-objects.js'
import { drop, readBody, sendEmpty, sendJson, sendReason } from './gcs-wire.js'
import type { Faults, GcsFault } from './gcs-faults.js'

export interface UploadDeps {
  bucket: string
  table: ObjectTable
  faults: Faults
  endpoint: () => string
}

/** Answers `/upload/storage/v1/b/<bucket>/o`. */
export async function answerUpload(
  deps: UploadDeps,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const sessionId = url.searchParams.get('upload_id')
  if (sessionId !== null) return await answerSession(deps, sessionId, request, response)
  const resumable = url.searchParams.get('uploadType') === 'resumable'
  const fault = deps.faults.next(resumable ? 'start' : 'insert')
  const body = await readBody(request, response, fault)
  if (body === null) return
  const ifGenerationMatch = url.searchParams.get('ifGenerationMatch')
  if (!resumable) {
    const { resource, bytes } = partsOf(url, request, body)
    const outcome = deps.table.create(resource, bytes, {
      ifGenerationMatch,
      wrongCrc32c: fault?.kind === 'wrong-crc32c'
    })
    return answerOutcome(deps, outcome, fault, response)
  }
  const resource = JSON.parse(body.toString() || '{}') as ObjectResource
  if (ifGenerationMatch === '0' && deps.table.objects.has(resource.name ?? '')) {
    return sendReason(response, 412, 'conditionNotMet')
  }
  const id = deps.table.startSession(resource, ifGenerationMatch)
  if (fault?.kind === 'drop-reply') return drop(response)
  sendEmpty(response, 200, {
    location: `${deps.endpoint()}/upload/storage/v1/b/${deps.bucket}/o?uploadType=resumable&upload_id=${id}`
  })
}

async function answerSession(
  deps: UploadDeps,
  id: string,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const session = deps.table.sessions.get(id)
  if (session === undefined) return sendReason(response, 404, 'notFound')
  if (request.method === 'DELETE') {
    deps.table.sessions.delete(id)
    return sendEmpty(response, 499)
  }
  const [, first, last, total] =
    /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(request.headers['content-range'] ?? '') ?? []
  // Faults are for parts with bytes: clients use a status query to find out about them.
  const fault = first === undefined ? undefined : deps.faults.next('part')
  const body = await readBody(request, response, fault)
  if (body === null) return
  if (session.object !== undefined) return sendJson(response, 200, resourceOf(session.object, deps.bucket))
  if (first !== undefined) {
    if (Number(first) !== keptOf(session) || Number(last) - Number(first) + 1 !== body.length) {
      return sendReason(response, 400, 'badContentRange')
    }
    session.kept.push(fault?.kind === 'keep-only' ? body.subarray(0, fault.bytes) : body)
  }
  if (total !== undefined && total !== '*' && Number(total) === keptOf(session)) {
    const outcome = deps.table.create(session.resource, Buffer.concat(session.kept), {
      ifGenerationMatch: session.ifGenerationMatch,
      wrongCrc32c: fault?.kind === 'wrong-crc32c'
    })
    if ('object' in outcome) session.object = outcome.object
    return answerOutcome(deps, outcome, fault, response)
  }
  if (fault?.kind === 'drop-reply') return drop(response)
  const kept = keptOf(session)
  sendEmpty(response, 308, kept === 0 ? {} : { range: `bytes=0-${kept - 1}` })
}

function answerOutcome(
  deps: UploadDeps,
  outcome: CreateOutcome,
  fault: GcsFault | undefined,
  response: ServerResponse
): void {
  if (fault?.kind === 'drop-reply') return drop(response)
  if (!('object' in outcome)) return sendReason(response, outcome.status, outcome.reason)
  sendJson(response, 200, resourceOf(outcome.object, deps.bucket))
}

function keptOf({ kept }: UploadSession): number {
  return kept.reduce((sum, bytes) => sum + bytes.length, 0)
}

/**
 * `multipart/related` has two parts, the resource and the bytes; a media upload has the bytes alone. The name may be
 * in the address.
 */
function partsOf(
  url: URL,
  request: IncomingMessage,
  body: Buffer
): { resource: ObjectResource; bytes: Buffer } {
  const named = { name: url.searchParams.get('name') ?? '' }
  if (url.searchParams.get('uploadType') === 'media') return { resource: named, bytes: body }
  const boundary = /boundary="?([^";]+)/.exec(request.headers['content-type'] ?? '')?.[1] ?? ''
  const firstHead = body.indexOf('\r\n\r\n')
  const second = body.indexOf(`\r\n--${boundary}`, firstHead)
  const secondHead = body.indexOf('\r\n\r\n', second)
  const end = body.lastIndexOf(`\r\n--${boundary}--`)
  return {
    resource: {
      ...named,
      ...(JSON.parse(body.subarray(firstHead + 4, second).toString()) as ObjectResource)
    },
    bytes: Buffer.from(body.subarray(secondHead + 4, end))
  }
}
