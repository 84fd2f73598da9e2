import t from 'tap'
import { createTurn } from '../../src/archive-guard/turn.js'

/** A turn that somebody has, and scans that wait for it: each notes its name and ends its turn. */
async function taken() {
  const turn = createTurn()
  const end = await turn.take({ lane: 'first' })
  const served: string[] = []
  const wait = async (name: string, lane?: string, signal?: AbortSignal): Promise<void> => {
    const leave = await turn.take({ lane, signal })
    served.push(name)
    leave()
  }
  return { turn, end, served, wait }
}

t.test('a lane with ten waiting scans delays another by no more than one of them', async (t) => {
  const { end, served, wait } = await taken()
  const many = Array.from({ length: 10 }, async (_, i) => {
    await wait(`a${i}`, 'a')
  })
  const other = wait('b', 'b')

  end()
  await Promise.all([...many, other])

  t.strictSame(served.slice(0, 3), ['a0', 'b', 'a1'])
  t.equal(served.length, 11)
})

t.test('those without a lane are served in the order they asked', async (t) => {
  const { end, served, wait } = await taken()
  const waiting = ['1', '2', '3'].map(async (name) => {
    await wait(name)
  })

  end()
  await Promise.all(waiting)

  t.strictSame(served, ['1', '2', '3'])
})

t.test('a scan that is cancelled leaves the line, and those behind it are served', async (t) => {
  const { end, served, wait } = await taken()
  const cancelling = new AbortController()
  const cancelled = wait('cancelled', 'a', cancelling.signal)
  const next = wait('next', 'a')

  cancelling.abort()
  await t.rejects(cancelled, { code: 'CANCELLED' })
  end()
  await next

  t.strictSame(served, ['next'])
})

t.test('a scan that was cancelled before it asks gets no turn', async (t) => {
  const turn = createTurn()

  await t.rejects(turn.take({ signal: AbortSignal.abort() }), { code: 'CANCELLED' })
  const end = await turn.take()

  t.doesNotThrow(end)
})

t.test('ending a turn twice does not end that of the next', async (t) => {
  const { turn, end } = await taken()
  const second = turn.take()
  let isThirdServed = false

  end()
  const endSecond = await second
  const third = turn.take().then((leave) => {
    isThirdServed = true
    return leave
  })
  end()
  await new Promise(setImmediate)
  t.notOk(isThirdServed)

  endSecond()
  ;(await third)()
  t.ok(isThirdServed)
})
