import t from 'tap'
import { AppError } from '@filewright/runtime'
import { createWaiter, type WaiterDeps } from '../src/waiter.js'

function waiterWith(onProgress?: (progress: unknown) => void): ReturnType<typeof createWaiter> {
  const deps: WaiterDeps<unknown, unknown> = {
    jobId: 'a',
    deadlineMs: 60_000,
    onProgress,
    parseResult: (value) => value,
    parseProgress: (value) => value,
    onBadProgress: () => {},
    deadlineError: () => new AppError('DEADLINE_EXCEEDED', 'too late'),
    onSettled: () => {}
  }
  return createWaiter(deps)
}

t.test('progress that arrives after a poll found the job completed is still read', async (t) => {
  const read: unknown[] = []
  const { waiter, outcome } = waiterWith((progress) => read.push(progress))

  waiter.progress('first')
  waiter.completeByPoll('result')
  waiter.progress('last')
  waiter.complete('result')

  t.equal(await outcome, 'result')
  t.strictSame(read, ['first', 'last'])
})

t.test('a second poll completes a waiter whose event was lost', async (t) => {
  const { waiter, outcome } = waiterWith(() => {})

  waiter.completeByPoll('result')
  t.notOk(waiter.isSettled())
  waiter.completeByPoll('result')

  t.equal(await outcome, 'result')
})

t.test('the first poll completes a waiter that reads no progress', async (t) => {
  const { waiter, outcome } = waiterWith()

  waiter.completeByPoll('result')

  t.equal(await outcome, 'result')
})
