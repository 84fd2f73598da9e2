import t from 'tap'
import { explainFailure, isFailure, reasons } from '@filewright/contracts'
import {
  BadRequestError,
  ConnectionError,
  ForbiddenError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError
} from '@filewright/client/browser'
import { explainError, explainUpload, isOutcome } from '../src/explain-error.js'
import { texts } from '../src/texts.js'

t.test("every reason is shown with the table's wording and the service's details", async (t) => {
  for (const [code, { title, isFailure: isFailing = true }] of Object.entries(reasons)) {
    const message = code === 'forbidden' ? 'Forbidden' : 'No'
    const error = new BadRequestError(message, { code, status: 400, reason: 'line 7 is why' })

    t.equal(explainError(error), `${explainFailure(error)}.`, code)
    t.match(explainError(error), title, code)
    t.match(explainError(error), 'line 7 is why', code)
    t.equal(isOutcome(error), !isFailing, code)
    t.equal(isFailure(error), isFailing, code)
  }
})

t.test('the wait and the request id are shown', async (t) => {
  const limited = new TooManyRequestsError('Too many requests, try again later', {
    code: 'too-many-requests',
    status: 429,
    retryAfterMs: 11_200
  })
  t.equal(explainError(limited), 'Rate limit reached; try again in 12 s.')
  const down = new ServiceError('Security scan unavailable, try again later', {
    code: 'service-error',
    status: 503,
    requestId: 'req-1',
    retryAfterMs: 5_000
  })
  t.equal(explainError(down), 'Security scan unavailable; try again in 5 s (request req-1).')
  const off = new ServiceError('Webhooks are off', { code: 'service-error', status: 501, requestId: 'req-2' })
  t.equal(explainError(off), 'Webhooks are off.', 'no log knows more')
})

t.test('errors without a reason from the service get an explanation', async (t) => {
  t.equal(explainError(new ConnectionError('x', { code: 'connection-lost' })), texts.errors.connection)
  t.equal(explainError(new TimeoutError('x', { code: 'timeout' })), texts.errors.timeout)
  t.equal(
    explainError(new ForbiddenError('The project is full', { code: 'forbidden', status: 403 })),
    'The project is full.'
  )
  t.equal(explainError(new RangeError('x')), texts.errors.unexpected)
})

t.test('a refused file is distinguished from one that may be retried', async (t) => {
  const refusal = (code: string) => explainUpload(new BadRequestError('no', { code, status: 400 }))

  t.match(refusal('malware'), { isRefused: true })
  t.match(refusal('bad-request'), { reason: 'no.', isRefused: true })
  t.match(explainUpload(new ServiceError('x', { code: 'x', status: 503 })), { isRefused: false })
  t.match(explainUpload(new Error('x')), { isRefused: false })
})
