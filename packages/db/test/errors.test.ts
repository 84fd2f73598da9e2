import t from 'tap'
import { AppError } from '@filewright/runtime'
import { translateError } from '../src/errors.js'

const coded = (code: string): Error => Object.assign(new Error('x'), { code })

t.test('every "try later" error becomes DATABASE_UNAVAILABLE, with its cause', async (t) => {
  const errors = [
    ...[
      '57014',
      '57P01',
      '53300',
      '08006',
      '40P01',
      '55P03',
      'ECONNREFUSED',
      'EPIPE',
      'EAI_AGAIN',
      'P1001',
      'P2024'
    ].map(coded),
    new Error('Connection terminated unexpectedly'),
    new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]),
    Object.assign(new Error('raw query failed'), {
      code: 'P2010',
      meta: { driverAdapterError: { cause: { kind: 'ConnectionClosed' } } }
    }),
    Object.assign(new Error('raw query failed'), {
      code: 'P2010',
      meta: { driverAdapterError: { cause: { kind: 'postgres', originalCode: '57014' } } }
    })
  ]

  for (const error of errors) {
    t.match(translateError(error), {
      name: 'AppError',
      code: 'DATABASE_UNAVAILABLE',
      retryable: true,
      cause: error
    })
  }
})

t.test('a bug is thrown unchanged', async (t) => {
  const endless = new Error('x')
  endless.cause = endless

  for (const error of [
    coded('23505'),
    coded('42601'),
    coded('P2002'),
    new TypeError('x'),
    endless,
    'text',
    null,
    undefined
  ]) {
    t.equal(translateError(error), error)
  }
})

t.test('one of our own errors is not wrapped again', async (t) => {
  const error = new AppError('MIGRATION_FAILED', 'x', { cause: coded('57014') })

  t.equal(translateError(error), error)
})
