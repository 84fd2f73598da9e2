import t from 'tap'
import { AppError } from '@filewright/runtime'
import { decodeFailure, encodeFailure } from '../src/failure.js'
import { createOutageLog } from '../src/outage-log.js'
import type { Logger } from '@filewright/runtime'

t.test('an expected error crosses Redis with its code and without its message', async (t) => {
  const { reason, retryable } = encodeFailure(
    new AppError('SCAN_UNAVAILABLE', 'clamd at secret-host', { retryable: true })
  )

  t.equal(retryable, true)
  t.notMatch(reason, /secret-host/)
  t.match(decodeFailure(reason, 'j1'), { code: 'SCAN_UNAVAILABLE', retryable: true })
})

t.test('the public reason crosses Redis too, and nothing of another form', async (t) => {
  const rejection = { code: 'syntax-error', reason: 'line 3 does not parse' }
  const { reason } = encodeFailure(new AppError('NOT_OPTIMIZABLE', 'secret code', { rejection }))

  t.notMatch(reason, /secret code/)
  t.strictSame(decodeFailure(reason, 'j1').rejection, rejection)
  for (const forged of [
    'x',
    7,
    null,
    { code: 'a\r\nb', reason: 'r' },
    { code: 'ok' },
    { code: 'ok', reason: 1 }
  ]) {
    const text = JSON.stringify({ code: 'NOT_OPTIMIZABLE', retryable: false, rejection: forged })
    t.match(decodeFailure(text, 'j1'), { code: 'NOT_OPTIMIZABLE', rejection: undefined }, text)
  }
})

t.test('an unexpected error is JOB_FAILED and retryable', async (t) => {
  const { reason, retryable } = encodeFailure(new TypeError('boom'))

  t.equal(retryable, true)
  t.match(decodeFailure(reason, 'j1'), { code: 'JOB_FAILED', retryable: true })
})

t.test('a failure reason that is not ours is JOB_FAILED and not retryable', async (t) => {
  for (const reason of ['', 'null', '{"code":"not a code"}', '{"code":7}', '[]']) {
    t.match(decodeFailure(reason, 'j1'), { code: 'JOB_FAILED', retryable: false }, reason)
  }
})

t.test('a job whose workers died is WORKER_LOST and retryable', async (t) => {
  t.match(decodeFailure('job stalled more than allowable limit', 'j1'), {
    code: 'WORKER_LOST',
    retryable: true
  })
})

t.test('an outage is logged once at its start and once at its end, with a count', async (t) => {
  const lines: Array<[string, unknown, string]> = []
  const write = (level: string) => (fields: unknown, message: string) => {
    lines.push([level, fields, message])
  }
  const log = createOutageLog({ warn: write('warn'), info: write('info') } as unknown as Logger, 'Redis')
  const error = new Error('refused')

  log.recovered()
  for (let i = 0; i < 100; i++) log.report(error)
  log.recovered()
  log.recovered()

  t.strictSame(lines, [
    ['warn', { err: error, suppressed: 0 }, 'Redis: error'],
    ['info', { suppressed: 99 }, 'Redis: connected again']
  ])
})
