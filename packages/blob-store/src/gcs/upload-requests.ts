import { randomUUID } from 'node:crypto'
import type { FileMetadata } from '@google-cloud/storage'
import { tagsOf, type Placement, type StorageClass } from '../placement.js'
import { StorageFailure } from '../remote/storage-failure.js'
import type { GcsHttp, GcsReply } from './gcs-http.js'
import { toGcsObject, WRITE_ID, type GcsObject } from './gcs-objects.js'

const CONTENT_TYPE = 'application/octet-stream'

export interface UploadCall {
  signal: AbortSignal | undefined
  timeoutMs: number
}

interface WriteDetails {
  writeId: string
  placement?: Placement | undefined
}

/** The state of a session after a request: the finished object, or the number of bytes received. */
export type SessionState = { object: GcsObject } | { keptBytes: number }

export interface UploadRequests {
  insert: (
    key: string,
    bytes: Uint8Array,
    options: UploadCall & WriteDetails & { crc32c: string }
  ) => Promise<GcsObject>
  startSession: (key: string, options: UploadCall & WriteDetails) => Promise<URL>
  sendPart: (
    session: URL,
    bytes: Uint8Array,
    options: UploadCall & { offset: number; totalBytes: number | undefined }
  ) => Promise<SessionState>
  querySession: (
    session: URL,
    options: UploadCall & { totalBytes: number | undefined }
  ) => Promise<SessionState>
  cancelSession: (session: URL, options: UploadCall) => Promise<void>
}

/**
 * The upload requests of Google's JSON API, one attempt each. Every insert has `ifGenerationMatch=0`: it
 * creates an object or fails with 412.
 */
export function createUploadRequests(http: GcsHttp, uploadUrl: URL): UploadRequests {
  function insertUrl(uploadType: string): URL {
    const url = new URL(uploadUrl)
    url.searchParams.set('uploadType', uploadType)
    url.searchParams.set('ifGenerationMatch', '0')
    return url
  }

  // A session's URL contains its own permission, but a proxy in front of Google may require the token as
  // well.
  const mayShowToken = (session: URL): boolean => session.origin === uploadUrl.origin

  return {
    // Multipart instead of plain media: it includes the write's id, and the crc32c lets Google refuse corrupt
    // bytes before they become an object.
    insert: async (key, bytes, { signal, timeoutMs, crc32c, ...details }) => {
      const boundary = randomUUID()
      const resource = JSON.stringify({
        ...resourceOf(key, details),
        crc32c
      })
      const reply = await http.exchange({
        method: 'POST',
        url: insertUrl('multipart'),
        headers: { 'content-type': `multipart/related; boundary=${boundary}` },
        body: Buffer.concat([
          Buffer.from(
            `--${boundary}\r\ncontent-type: application/json\r\n\r\n${resource}\r\n--${boundary}\r\ncontent-type: ${CONTENT_TYPE}\r\n\r\n`
          ),
          bytes,
          Buffer.from(`\r\n--${boundary}--\r\n`)
        ]),
        signal,
        timeoutMs
      })
      if (reply.status === 200 || reply.status === 201) return objectOf(reply)
      throw refused('insert', reply)
    },
    startSession: async (key, { signal, timeoutMs, ...details }) => {
      const reply = await http.exchange({
        method: 'POST',
        url: insertUrl('resumable'),
        headers: { 'content-type': 'application/json', 'x-upload-content-type': CONTENT_TYPE },
        body: Buffer.from(JSON.stringify(resourceOf(key, details))),
        signal,
        timeoutMs
      })
      const location = reply.headers.get('location')
      if (reply.status !== 200 && reply.status !== 201) throw refused('start of an upload', reply)
      if (location === null || !URL.canParse(location)) {
        throw new StorageFailure('an upload session came without its address')
      }
      return new URL(location)
    },
    sendPart: async (session, bytes, { signal, timeoutMs, offset, totalBytes }) =>
      sessionState(
        await http.exchange({
          method: 'PUT',
          url: session,
          headers: { 'content-range': `bytes ${offset}-${offset + bytes.length - 1}/${totalBytes ?? '*'}` },
          body: bytes,
          authenticated: mayShowToken(session),
          signal,
          timeoutMs
        })
      ),
    querySession: async (session, { signal, timeoutMs, totalBytes }) =>
      sessionState(
        await http.exchange({
          method: 'PUT',
          url: session,
          headers: { 'content-range': `bytes */${totalBytes ?? '*'}`, 'content-length': '0' },
          authenticated: mayShowToken(session),
          signal,
          timeoutMs
        })
      ),
    cancelSession: async (session, { signal, timeoutMs }) => {
      const authenticated = mayShowToken(session)
      await http.exchange({ method: 'DELETE', url: session, authenticated, signal, timeoutMs })
    }
  }
}

const CLASSES: Record<StorageClass, string> = { standard: 'STANDARD', cool: 'NEARLINE', cold: 'COLDLINE' }

/** Google has no tags; project and file id are metadata. */
function resourceOf(key: string, { writeId, placement = {} }: WriteDetails): object {
  const { storageClass } = placement
  return {
    name: key,
    contentType: CONTENT_TYPE,
    metadata: { [WRITE_ID]: writeId, ...tagsOf(placement) },
    ...(storageClass === undefined ? {} : { storageClass: CLASSES[storageClass] })
  }
}

function sessionState(reply: GcsReply): SessionState {
  if (reply.status === 200 || reply.status === 201) return { object: objectOf(reply) }
  if (reply.status !== 308) throw refused('part of an upload', reply)
  const lastKept = /^bytes=0-(\d+)$/.exec(reply.headers.get('range') ?? '')?.[1]
  return { keptBytes: lastKept === undefined ? 0 : Number(lastKept) + 1 }
}

function objectOf(reply: GcsReply): GcsObject {
  try {
    return toGcsObject(JSON.parse(reply.text) as FileMetadata)
  } catch (error) {
    throw new StorageFailure('an upload was answered with something else than JSON', { cause: error })
  }
}

function refused(what: string, reply: GcsReply): StorageFailure {
  return new StorageFailure(`${what} answered ${reply.status}: ${reply.text.slice(0, 200)}`, {
    status: reply.status
  })
}
