import t from 'tap'
import { createSemaphore } from '../src/index.js'

/** A semaphore whose only permit is taken. Callers record their name when they get it, and release it. */
async function takenSemaphore() {
  const semaphore = createSemaphore({ permits: 1 })
  const release = await semaphore.acquire({ lane: 'first' })
  const served: string[] = []
  const wait = async (name: string, lane?: string, signal?: AbortSignal): Promise<void> => {
    const releaseAgain = await semaphore.acquire({ lane, signal })
    served.push(name)
    releaseAgain()
  }
  return { semaphore, release, served, wait }
}

t.test('ten waiting callers of one lane delay another lane by only one of them', async (t) => {
  const { release, served, wait } = await takenSemaphore()
  const many = Array.from({ length: 10 }, async (_, i) => await wait(`a${i}`, 'a'))
  const other = wait('b', 'b')

  release()
  await Promise.all([...many, other])

  t.strictSame(served.slice(0, 3), ['a0', 'b', 'a1'])
  t.equal(served.length, 11)
})

t.test('callers without a lane are served in order of arrival', async (t) => {
  const { release, served, wait } = await takenSemaphore()
  const waiting = ['1', '2', '3'].map(async (name) => await wait(name))

  release()
  await Promise.all(waiting)

  t.strictSame(served, ['1', '2', '3'])
})

t.test('an aborted caller leaves the line, and the next one is served', async (t) => {
  const { release, served, wait } = await takenSemaphore()
  const controller = new AbortController()
  const aborted = wait('aborted', 'a', controller.signal)
  const next = wait('next', 'a')

  controller.abort(new Error('gone'))
  await t.rejects(aborted, { message: 'gone' })
  release()
  await next

  t.strictSame(served, ['next'])
})

t.test('a caller whose signal has aborted before takes no permit', async (t) => {
  const semaphore = createSemaphore({ permits: 1 })
  const signal = AbortSignal.abort(new Error('gone'))

  await t.rejects(semaphore.acquire({ signal }), { message: 'gone' })
  await t.rejects(
    semaphore.run(async () => t.fail('it ran'), { signal }),
    { message: 'gone' }
  )
  t.ok(semaphore.tryAcquire())
})

t.test('a second release does nothing', async (t) => {
  const { semaphore, release } = await takenSemaphore()
  const second = semaphore.acquire()
  let isThirdServed = false

  release()
  const releaseSecond = await second
  const third = semaphore.acquire().then((releaseThird) => {
    isThirdServed = true
    return releaseThird
  })
  release()
  await new Promise(setImmediate)
  t.notOk(isThirdServed)

  releaseSecond()
  ;(await third)()
  t.ok(isThirdServed)
})

t.test('a free permit goes to the waiting caller, not to a new one in the same tick', async (t) => {
  const { semaphore, release } = await takenSemaphore()
  const waiting = semaphore.acquire({ lane: 'a' })

  release()
  t.equal(semaphore.tryAcquire('b'), null)
  ;(await waiting)()
  t.ok(semaphore.tryAcquire('b'))
})

t.test('a lane has its own limit, and the other permits stay free for others', async (t) => {
  const semaphore = createSemaphore({ permits: 3, permitsPerLane: 2 })
  const release = semaphore.tryAcquire('a')

  t.ok(semaphore.tryAcquire('a'))
  t.equal(semaphore.tryAcquire('a'), null)
  t.ok(semaphore.tryAcquire('b'))
  t.equal(semaphore.tryAcquire('c'), null)
  release?.()
  t.ok(semaphore.tryAcquire('c'))
})

t.test('without limits every caller gets a permit', async (t) => {
  const semaphore = createSemaphore()

  t.equal(
    Array.from({ length: 1000 }, () => semaphore.tryAcquire('a')).every((release) => release !== null),
    true
  )
})

t.test('a task that fails gives its permit to the next', async (t) => {
  const semaphore = createSemaphore({ permits: 1 })

  const failed = semaphore.run(async () => {
    throw new Error('refused')
  })
  const next = semaphore.run(async () => 'done')

  await t.rejects(failed, { message: 'refused' })
  t.equal(await next, 'done')
})

t.test('rejectWaiting rejects waiting callers, but not the running one', async (t) => {
  const semaphore = createSemaphore({ permits: 1 })
  const running = semaphore.run(async () => {
    await new Promise(setImmediate)
    return 'done'
  })
  const waiting: Array<Promise<unknown>> = [
    semaphore.run(async () => t.fail('it ran')),
    semaphore.acquire({ signal: new AbortController().signal })
  ]

  semaphore.rejectWaiting(new Error('closed'))

  for (const each of waiting) await t.rejects(each, { message: 'closed' })
  t.equal(await running, 'done')
  t.ok(semaphore.tryAcquire())
})
