import t from 'tap'
import { createRandom } from '../src/index.js'

const draw = (seed: number): number[] => {
  const random = createRandom(seed).fork('row')
  return Array.from({ length: 100 }, () => random.below(1_000))
}

t.test('the same seed draws the same faults, another seed draws others', async (t) => {
  t.strictSame(draw(7), draw(7))
  t.notSame(draw(7), draw(8))
})

t.test('what one stream draws does not depend on what another has drawn', async (t) => {
  const busy = createRandom(7)
  busy.fork('other').next()
  busy.next()

  t.equal(busy.fork('row').next(), createRandom(7).fork('row').next())
})

t.test('a shuffled list has the same members', async (t) => {
  const list = Array.from({ length: 50 }, (_, index) => index)

  const shuffled = createRandom(3).shuffled(list)

  t.strictSame([...shuffled].sort((a, b) => a - b), list)
  t.notSame(shuffled, list)
})
