import { getEventListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { abortable, linkSignals, onAbort, withDeadline } from '../src/index.js'

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length
const never = new Promise<never>(() => {})
const gone = new Error('gone')

const unhandled: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))

t.test('onAbort calls back once with the reason, and leaves no listener', async (t) => {
  const controller = new AbortController()
  const reasons: unknown[] = []
  const stop = onAbort(controller.signal, (reason) => {
    reasons.push(reason)
  })

  controller.abort(gone)
  controller.abort(new Error('again'))
  stop()

  t.strictSame(reasons, [gone])
  t.equal(listenersOf(controller.signal), 0)
})

t.test('onAbort calls back at once when the signal was already aborted', async (t) => {
  const reasons: unknown[] = []

  onAbort(AbortSignal.abort(gone), (reason) => {
    reasons.push(reason)
  })()

  t.strictSame(reasons, [gone])
})

t.test('onAbort does not call back when it was stopped before, or without a signal', async (t) => {
  const controller = new AbortController()
  const stop = onAbort(controller.signal, () => {
    t.fail('called back')
  })
  onAbort(undefined, () => {
    t.fail('called back')
  })()

  stop()
  t.equal(listenersOf(controller.signal), 0)
  controller.abort()
})

t.test('abortable settles as the promise does, and leaves no listener', async (t) => {
  const { signal } = new AbortController()

  t.equal(await abortable(Promise.resolve(1), signal), 1)
  await t.rejects(abortable(Promise.reject(gone), signal), gone)
  t.equal(await abortable(Promise.resolve(1), undefined), 1)
  t.equal(listenersOf(signal), 0)
})

t.test('abortable rejects on an abort, with the reason or the error made from it', async (t) => {
  const controller = new AbortController()
  const { signal } = controller
  const plain = abortable(never, signal)
  const made = abortable(never, signal, (reason) => new Error('made', { cause: reason }))

  t.equal(listenersOf(signal), 2)
  controller.abort(gone)

  await t.rejects(plain, gone)
  await t.rejects(made, { message: 'made', cause: gone })
  t.equal(listenersOf(signal), 0)
})

t.test(
  'abortable rejects when the signal was already aborted, even if the promise has settled',
  async (t) => {
    await t.rejects(abortable(Promise.resolve(1), AbortSignal.abort(gone)), gone)
  }
)

t.test('abortable settles with whatever came first if both happen in the same tick', async (t) => {
  let resolve = (_value: number): void => {}
  const promise = new Promise<number>((_resolve) => {
    resolve = _resolve
  })
  const controller = new AbortController()
  const waiting = abortable(promise, controller.signal)

  // The promise's callbacks run later than the signal's.
  resolve(1)
  controller.abort(gone)

  await t.rejects(waiting, gone)
})

t.test('abortable drops a rejection after the abort, or if the signal was already aborted', async (t) => {
  let reject = (_error: Error): void => {}
  const promise = new Promise<never>((_resolve, _reject) => {
    reject = _reject
  })
  const controller = new AbortController()
  const waiting = abortable(promise, controller.signal)
  controller.abort(gone)
  await t.rejects(waiting, gone)

  reject(new Error('late'))
  await t.rejects(abortable(Promise.reject(new Error('early')), AbortSignal.abort(gone)), gone)
  await nextTurn()

  t.strictSame(unhandled, [])
})

t.test('linkSignals aborts with the first of its signals, and leaves no listener', async (t) => {
  const [one, other] = [new AbortController(), new AbortController()]
  const linked = linkSignals(one.signal, undefined, other.signal)

  other.abort(gone)

  t.ok(linked.signal.aborted)
  t.equal(linked.signal.reason, gone)
  linked.abort(new Error('later'))
  t.equal(linked.signal.reason, gone)
  t.equal(listenersOf(one.signal), 0)
  t.equal(linkSignals(one.signal, AbortSignal.abort(gone)).signal.reason, gone)
})

t.test('linkSignals does not abort its sources, and ignores them once unlinked', async (t) => {
  const outer = new AbortController()
  const aborted = linkSignals(outer.signal)
  const unlinked = linkSignals(outer.signal)

  aborted.abort()
  unlinked.unlink()
  t.equal(listenersOf(outer.signal), 0)
  outer.abort()

  t.match(aborted.signal.reason, { code: 'CANCELLED' })
  t.notOk(unlinked.signal.aborted)
})

t.test('withDeadline returns the result of the work, and ends anything it left running', async (t) => {
  const outer = new AbortController()
  let inner: AbortSignal | undefined
  const result = await withDeadline(
    async (signal) => {
      inner = signal
      t.notOk(signal.aborted)
      return 1
    },
    { ms: 10_000, signal: outer.signal }
  )

  t.equal(result, 1)
  t.ok(inner?.aborted)
  t.equal(listenersOf(outer.signal), 0)
  await t.rejects(
    withDeadline(
      async () => {
        throw gone
      },
      { ms: 10_000, signal: outer.signal }
    ),
    gone
  )
  t.equal(listenersOf(outer.signal), 0)
})

t.test('withDeadline rejects when the time is over, even if the work ignores the signal', async (t) => {
  const seen: unknown[] = []
  const deaf = async (signal: AbortSignal): Promise<never> => {
    onAbort(signal, (reason) => {
      seen.push(reason)
    })
    return await never
  }

  await t.rejects(withDeadline(deaf, { ms: 1 }), { message: 'no answer within 1 ms' })
  await t.rejects(withDeadline(deaf, { ms: 1, late: () => gone }), gone)
  t.match(seen, [{ message: 'no answer within 1 ms' }, gone])
})

t.test(
  'withDeadline rejects when the signal aborts, and does not start if it has aborted before',
  async (t) => {
    const outer = new AbortController()
    const waiting = withDeadline(async () => await never, { ms: 10_000, signal: outer.signal })

    outer.abort(gone)

    await t.rejects(waiting, gone)
    await t.rejects(
      withDeadline(
        async () => {
          t.fail('started')
        },
        { ms: 10_000, signal: outer.signal }
      ),
      gone
    )
  }
)

t.test('none of these waits left an unhandled rejection', async (t) => {
  await nextTurn()

  t.strictSame(unhandled, [])
})
