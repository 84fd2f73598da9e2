import t from 'tap'
import { createRandom } from '../src/harness/random.js'
import { scheduleOf } from '../src/soak/schedule.js'

const draw = (seed: number): number[] => {
  const random = createRandom(seed).fork('row')
  return Array.from({ length: 100 }, () => random.below(1_000))
}

t.test('the same seed gives the same faults, another seed gives others', async (t) => {
  t.strictSame(draw(7), draw(7))
  t.notSame(draw(7), draw(8))
})

t.test('the same seed gives the same schedule of faults', async (t) => {
  const schedule = (seed: number): string[] => {
    const faults = scheduleOf(createRandom(seed).fork('soak'))
    return Array.from({ length: 200 }, () => faults.next().value).map(
      ({ afterMs, name }) => `${afterMs} ${name}`
    )
  }

  t.strictSame(schedule(7), schedule(7))
  t.notSame(schedule(7), schedule(8))
  t.ok(new Set(schedule(7).map((line) => line.replace(/^\d+ /, ''))).size > 20, 'of many kinds')
})

t.test('one random stream does not depend on another', async (t) => {
  const busy = createRandom(7)
  busy.fork('other').next()
  busy.next()

  t.equal(busy.fork('row').next(), createRandom(7).fork('row').next())
})

t.test('a shuffled array has the same elements', async (t) => {
  const list = Array.from({ length: 50 }, (_, index) => index)

  const shuffled = createRandom(3).shuffled(list)

  t.strictSame(
    [...shuffled].sort((a, b) => a - b),
    list
  )
  t.notSame(shuffled, list)
})
