import t from 'tap'
import { BadRequestError, ForbiddenError, ServiceError, TooManyRequestsError } from '@filewright/client'
import { explainFailure, reasons } from '@filewright/contracts'
import { sentenceOf } from '../src/failure.js'

t.test("every reason is printed with the table's wording and the server's details", async (t) => {
  for (const [code, { title }] of Object.entries(reasons)) {
    const error = new BadRequestError(code === 'forbidden' ? 'Forbidden' : 'No', {
      code,
      status: 400,
      reason: 'line 7 is why'
    })

    t.equal(sentenceOf(error), explainFailure(error), code)
    t.match(sentenceOf(error), title, code)
    t.match(sentenceOf(error), 'line 7 is why', code)
  }
})

t.test('the wait and the request id are printed', async (t) => {
  const limited = new TooManyRequestsError('x', {
    code: 'too-many-requests',
    status: 429,
    retryAfterMs: 11_200
  })
  t.equal(sentenceOf(limited), 'Rate limit reached; try again in 12 s')
  const failed = new ServiceError('Internal server error', {
    code: 'service-error',
    status: 500,
    requestId: 'req-1'
  })
  t.equal(sentenceOf(failed), 'Internal server error (request req-1)')
})

t.test("a foreign project is refused with the table's wording, and the advice is a command", async (t) => {
  const error = new ForbiddenError('Forbidden', { code: 'forbidden', status: 403 })

  t.equal(
    sentenceOf(error),
    'The token does not open this project; ask for one that does and run: filewright login'
  )
})
