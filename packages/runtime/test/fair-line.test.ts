import t from 'tap'
import { createFairLine, shareOf } from '../src/index.js'

function lineOf(items: Array<[lane: string, item: string]>) {
  const line = createFairLine<string>()
  for (const [lane, item] of items) line.push(lane, item)
  return line
}

t.test('lanes take turns, and each is first come, first served', async (t) => {
  const line = lineOf([
    ['a', 'a1'],
    ['a', 'a2'],
    ['a', 'a3'],
    ['b', 'b1'],
    ['b', 'b2'],
    ['c', 'c1']
  ])

  const taken = Array.from({ length: 7 }, () => line.take())

  t.strictSame(taken, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
})

t.test('a late lane waits for one turn of the others, however long they are', async (t) => {
  const line = lineOf(Array.from({ length: 100 }, (_, i) => ['a', `a${i}`]))
  line.take()
  line.push('b', 'b0')

  t.strictSame([line.take(), line.take()], ['a1', 'b0'])
})

t.test('a lane that may not run is skipped and keeps its turn', async (t) => {
  const line = lineOf([
    ['a', 'a1'],
    ['b', 'b1'],
    ['b', 'b2']
  ])

  t.equal(
    line.take((_item, lane) => lane !== 'a'),
    'b1'
  )
  t.equal(line.take(), 'a1')
  t.equal(
    line.take(() => false),
    undefined
  )
  t.equal(line.size(), 1)
})

t.test('an order applies within a lane, never between lanes', async (t) => {
  const line = createFairLine<number>({ order: (a, b) => a - b })
  for (const item of [9, 8, 7]) line.push('a', item)
  line.push('b', 100)

  t.strictSame([line.take(), line.take(), line.take(), line.take()], [7, 100, 8, 9])
})

t.test('a removed item is never returned, and no longer counted', async (t) => {
  const line = lineOf([
    ['a', 'a1'],
    ['a', 'a2'],
    ['b', 'b1']
  ])

  t.ok(line.remove('a', 'a1'))
  t.notOk(line.remove('a', 'a1'))
  t.notOk(line.remove('c', 'c1'))
  t.strictSame([line.size(), line.sizeOf('a'), line.sizeOf('c')], [2, 1, 0])
  t.strictSame(line.drain(), ['a2', 'b1'])
  t.strictSame([line.size(), line.take()], [0, undefined])
})

t.test('an item that is put back is the next of its lane', async (t) => {
  const line = lineOf([
    ['a', 'a1'],
    ['a', 'a2']
  ])

  line.putBack('a', line.take() as string)

  t.strictSame([line.take(), line.take()], ['a1', 'a2'])
})

t.test('a quarter of the slots, but at least one, is reserved for other lanes', async (t) => {
  t.strictSame([1, 2, 3, 4, 6, 8, 12, 64].map(shareOf), [1, 1, 2, 3, 5, 6, 9, 48])
})
