import t from 'tap'
import {
  BadRequestError,
  ConnectionError,
  ForbiddenError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError
} from '@filewright/client/browser'
import { explainError, explainUpload } from '../src/explain-error.js'
import { texts } from '../src/texts.js'

t.test('errors are explained in words', async (t) => {
  t.equal(explainError(new ConnectionError('x', { code: 'connection-lost' })), texts.errors.connection)
  t.equal(explainError(new TimeoutError('x', { code: 'timeout' })), texts.errors.timeout)
  t.equal(explainError(new TooManyRequestsError('x', { code: 'x', status: 429 })), texts.errors.tooMany)
  t.equal(explainError(new ForbiddenError('Forbidden', { code: 'x', status: 403 })), texts.errors.forbidden)
  t.equal(
    explainError(new ForbiddenError('The project is full', { code: 'x', status: 403 })),
    'The project is full.'
  )
  t.equal(
    explainError(new ServiceError('Security scan unavailable', { code: 'x', status: 503 })),
    'Security scan unavailable.'
  )
  t.equal(explainError(new RangeError('x')), texts.errors.unexpected)
})

t.test('a refused file is distinguished from one that may be retried', async (t) => {
  const refusal = (code: string, reason?: string) =>
    explainUpload(
      new BadRequestError('no', { code, status: 400, ...(reason === undefined ? {} : { reason }) })
    )

  t.strictSame(refusal('malware', 'Eicar'), { reason: texts.refusals['malware'], isRefused: true })
  t.strictSame(refusal('unsupported-type', 'executable files are not accepted'), {
    reason: 'Executable files are not accepted.',
    isRefused: true
  })
  t.strictSame(refusal('bad-request'), { reason: 'No.', isRefused: true })
  t.match(explainUpload(new ServiceError('x', { code: 'x', status: 503 })), { isRefused: false })
  t.match(explainUpload(new Error('x')), { isRefused: false })
})
