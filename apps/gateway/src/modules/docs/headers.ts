import { aiRejectionCodes, hasAnalyzer, languages, limits, rejectionCodes } from '@filewright/contracts'
import { engines } from '@filewright/queue'

const text = (description: string, example: string, schema: object = { type: 'string' }) => ({
  description,
  schema,
  example
})
const count = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example
})
const always = <T extends object>(header: T) => ({ ...header, required: true })

/** Every response header that matters to a client. */
export const responseHeaders = {
  'X-Request-Id': always(
    text("The request's id, also in the logs; your own id if you sent a valid one", 'trace-1')
  ),
  'WWW-Authenticate': always(text('How to authenticate', 'Bearer')),
  'Retry-After': always(count('Seconds to wait before a retry', 5)),
  'RateLimit-Limit': count(
    'Requests per minute of the limit closest to being reached; absent if limits are off',
    600
  ),
  'RateLimit-Remaining': count('Requests remaining in this minute', 599),
  'RateLimit-Reset': count('Seconds until the minute ends', 42),
  'Idempotent-Replayed': text(
    'Present if this is the stored response to an earlier request with the same Idempotency-Key',
    'true',
    { const: 'true' }
  ),
  'X-Engine': always(text('Who answered', 'model+static', { enum: [...engines] })),
  'X-Analyzers': always(
    text('The language whose analyzers ran; none if only the general rules applied', 'javascript', {
      enum: [...languages.filter(hasAnalyzer), 'none']
    })
  ),
  'X-Suppressed-Findings': count(
    'How many findings comments in the code accept, with a reason; absent where there are none',
    1
  ),
  'X-Finish-Reason': text(
    'Whether the model stopped by itself or at its output limit; usually absent in a stream, which begins before this is known',
    'stop',
    { enum: ['stop', 'length'] }
  ),
  'X-Rejection': text(
    'Why a file or an AI request was refused: a code and a short reason',
    'unsupported-type; executable files are not accepted',
    { type: 'string', pattern: `^(${[...rejectionCodes, ...aiRejectionCodes].join('|')}); [ -~]+$` }
  ),
  Location: always(
    text('Where the bytes are, for a few minutes', 'https://files.s3.eu-central-1.amazonaws.com/…')
  ),
  'X-Events-Gap': text(
    'Why events may be missing behind the Last-Event-ID: a code and a reason',
    'expired; events after this id are not kept any more, the oldest kept one follows',
    { type: 'string', pattern: '^(expired|unknown); [ -~]+$' }
  ),
  Link: text(
    'The next page by cursor, on every full page that was not requested by number',
    '<http://localhost:3000/api/files?project_id=demo&limit=20&after=WyJ1Q1d4>; rel="next"',
    { type: 'string', pattern: '^<[!-~]+>; rel="next"$' }
  ),
  ETag: always(text('The sha256 of the bytes', `"${'0'.repeat(64)}"`)),
  'Last-Modified': always(text('When the file was stored', 'Thu, 15 Jan 2026 09:30:00 GMT')),
  'Accept-Ranges': always(text('Ranges are served', 'bytes')),
  'Content-Disposition': always(
    text('The name, by RFC 6266', 'attachment; filename="report.pdf"; filename*=UTF-8\'\'report.pdf')
  ),
  'Content-Range': always(text('The part that is served', 'bytes 0-99/48213'))
} as const
export type ResponseHeader = keyof typeof responseHeaders

const header = (name: string, description: string, schema: object = { type: 'string' }) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema
})

/** Headers that a request may have. */
export const parameters = {
  RequestId: header('X-Request-Id', 'Your own id for logs and responses', {
    type: 'string',
    pattern: '^[A-Za-z0-9._~-]{1,128}$'
  }),
  IdempotencyKey: header(
    'Idempotency-Key',
    'Makes a retry safe: the same key and request get the same response for 24 hours',
    {
      type: 'string',
      pattern: '^[\\x21-\\x7e]+$',
      minLength: 1,
      maxLength: limits.idempotencyKeyChars
    }
  ),
  Range: header('Range', 'One range of bytes'),
  IfRange: header('If-Range', 'Serve the range only if the file has not changed'),
  IfNoneMatch: header('If-None-Match', 'Respond with 304 if the file matches'),
  IfModifiedSince: header('If-Modified-Since', 'Respond with 304 if the file is not newer'),
  IfMatch: header('If-Match', 'Respond with 412 unless the file matches'),
  IfUnmodifiedSince: header('If-Unmodified-Since', 'Respond with 412 if the file is newer'),
  FileId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'File identifier',
    schema: { type: 'string' }
  },
  LastEventId: header('Last-Event-ID', 'Only events after this one; without it, only new events'),
  GenerationId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Generation identifier',
    schema: { type: 'string' }
  },
  TokenId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Token identifier',
    schema: { type: 'string' }
  },
  WebhookId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Webhook identifier',
    schema: { type: 'string' }
  }
} as const
export type Parameter = keyof typeof parameters
