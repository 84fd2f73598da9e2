import type { Readable } from 'node:stream'
import type { Multipart } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '@filewright/contracts'
import { AppError, InvalidFieldError } from '@filewright/runtime'
import { onSilence } from '../../http/on-silence.js'
import { malformedForm, tooLarge } from './rejected-upload.js'

/** Other fields are ignored, as browsers and clients add their own. */
const knownFields = ['project_id', 'folder', 'description'] as const
export type UploadField = (typeof knownFields)[number]

function isKnownField(name: string): name is UploadField {
  return (knownFields as readonly string[]).includes(name)
}

export type FormPart =
  | { kind: 'field'; name: UploadField; value: string }
  | { kind: 'file'; name: string; fileName: string; body: Readable }

/** Room for boundaries and the other fields besides a file of the maximum size. */
const FORM_OVERHEAD_BYTES = 1024 * 1024

/** The longest field is `description`: 2,000 characters of up to four bytes. */
const FIELD_BYTES = limits.descriptionChars * 4

const multipartLimits = {
  fieldNameSize: 100,
  fieldSize: FIELD_BYTES,
  fields: 50,
  parts: 60,
  headerPairs: 50,
  // One more than allowed, so that a second file is seen and refused.
  files: 2,
  // Our own meter counts the bytes; the parser's limit would truncate the file silently.
  fileSize: Infinity
}

/** Once all bytes have arrived, the parser needs only a moment to find the next part or the end. */
const PARSER_MS = 1_000

/**
 * The parser's parts, with a timeout on every wait: a form whose last header is truncated leaves the parser
 * waiting forever, and a client may stop sending between two parts.
 */
async function* boundedParts(request: FastifyRequest, idleTimeoutMs: number): AsyncGenerator<Multipart> {
  const { raw } = request
  const parts = request.parts({ limits: multipartLimits })
  for (;;) {
    let stop = (): void => {}
    const stuck = new Promise<never>((_resolve, reject) => {
      const stopWatch = onSilence(raw.socket, idleTimeoutMs, () =>
        reject(new AppError('REQUEST_TIMEOUT', `no byte of the form for ${idleTimeoutMs} ms`))
      )
      let unfinished: NodeJS.Timeout | undefined
      const onEnd = (): void => {
        unfinished = setTimeout(
          () => reject(malformedForm('the form ends in the middle of a part')),
          PARSER_MS
        )
      }
      if (raw.readableEnded) onEnd()
      else raw.once('end', onEnd)
      stop = () => {
        stopWatch()
        clearTimeout(unfinished)
        raw.off('end', onEnd)
      }
    })
    const { done, value } = await Promise.race([parts.next(), stuck]).finally(stop)
    if (done === true) return
    yield value
  }
}

/** Parts in the order they arrive. Any problem with the form itself is INVALID_UPLOAD. */
export async function* readForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { idleTimeoutMs }: { idleTimeoutMs: number }
): AsyncGenerator<FormPart> {
  if (Number(request.headers['content-length'] ?? 0) > limits.fileSizeBytes + FORM_OVERHEAD_BYTES) {
    throw tooLarge()
  }
  if (!request.isMultipart()) throw malformedForm('the body is not a multipart form')
  // Only now does a client that sent `Expect: 100-continue` get the signal to send its body.
  if (request.headers.expect !== undefined) reply.raw.writeContinue()
  try {
    for await (const part of boundedParts(request, idleTimeoutMs)) {
      if (part.type === 'file') {
        yield { kind: 'file', name: part.fieldname, fileName: part.filename ?? '', body: part.file }
      } else if (isKnownField(part.fieldname)) {
        if (part.valueTruncated) throw new InvalidFieldError(part.fieldname, 'is too long')
        // The parser turns application/json fields into values.
        if (typeof part.value !== 'string') throw new InvalidFieldError(part.fieldname, 'must be plain text')
        yield { kind: 'field', name: part.fieldname, value: part.value }
      }
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw malformedForm('the multipart form is malformed', error)
  } finally {
    // A form that is abandoned early still has bytes in flight. They are drained, or the connection would
    // stall.
    request.raw.unpipe()
    request.raw.resume()
  }
}
