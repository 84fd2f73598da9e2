import t from 'tap'
import { mask, maskFailure } from '../../src/operators/mask.js'

t.test('shows fields that identify the job, and hides user input and every unknown field', async (t) => {
  t.strictSame(
    mask({
      v: 1,
      kind: 'generate',
      model: 'gamma',
      prompt: 'secret',
      language: 'secret',
      brandNew: { deep: 'secret' }
    }),
    {
      v: 1,
      kind: 'generate',
      model: 'gamma',
      prompt: 'masked (6 characters)',
      language: 'masked (6 characters)',
      brandNew: 'masked (17 characters)'
    }
  )
})

t.test('shows plain numbers, hides plain text and arrays', async (t) => {
  t.strictSame(
    [mask(7), mask(null), mask('secret'), mask(['secret'])],
    [7, null, 'masked (6 characters)', 'masked (10 characters)']
  )
})

t.test('shows only our own error codes of a failure', async (t) => {
  t.strictSame(
    [
      maskFailure(undefined),
      maskFailure('{"code":"SCAN_UNAVAILABLE","retryable":true}'),
      maskFailure('job stalled more than allowable limit'),
      maskFailure('Error: cannot read secret.txt'),
      maskFailure('{"code":"secret"}')
    ],
    [undefined, 'SCAN_UNAVAILABLE', 'job stalled more than allowable limit', 'masked', 'masked']
  )
})
