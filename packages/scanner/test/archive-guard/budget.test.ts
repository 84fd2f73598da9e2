import t from 'tap'
import { createSemaphore } from '@filewright/runtime'
import { createBudget, type Budget } from '../../src/archive-guard/budget.js'
import { errorOf } from '../../src/archive-guard/unpacking.js'
import { largeRoom, RoomTooSmall, smallRoom } from '../../src/archive-guard/rooms.js'
import { createScanMeter } from '../../src/scan-meter.js'

const MIB = 1024 * 1024
const meter = createScanMeter()
const nothing = async (): Promise<void> => {}

const budgetIn = (room = smallRoom, sizeBytes = 1000): Budget => createBudget({ sizeBytes, room, meter })

t.test('refuses a ratio above 500 from 16 MiB on, and any size above 1 GiB', async (t) => {
  t.doesNotThrow(() => budgetIn().unpack(16 * MIB))
  t.throws(() => budgetIn().unpack(16 * MIB + 1), { message: 'Bomb' })
  t.doesNotThrow(() => budgetIn(smallRoom, MIB).unpack(500 * MIB))
  t.throws(() => budgetIn(smallRoom, MIB).unpack(500 * MIB + 1), { message: 'Bomb' })
  t.throws(() => budgetIn(smallRoom, 40 * MIB).unpack(1024 * MIB + 1), { message: 'TooLarge' })
})

t.test('counts declared bytes toward the limit, but charges only unpacked bytes', async (t) => {
  const meter = createScanMeter()
  const budget = createBudget({ sizeBytes: 1000, room: smallRoom, meter })

  budget.unpack(10 * MIB)
  budget.expect(6 * MIB)
  t.throws(() => budget.expect(6 * MIB + 1), { message: 'Bomb' })
  t.equal(budget.unpackableBytes(), 6 * MIB)
  t.equal(meter.costs().unpackedBytes, 10 * MIB)

  t.throws(() => budget.unpack(30 * MIB), { message: 'Bomb' })
  t.equal(meter.costs().unpackedBytes, 40 * MIB, 'what was refused came out as well')
})

t.test(
  'an archive too large for the small room moves to the large one, and may be refused there',
  async (t) => {
    await t.rejects(budgetIn(smallRoom).hold(9 * MIB, nothing), RoomTooSmall)
    await budgetIn(largeRoom).hold(9 * MIB, nothing)
    await t.rejects(budgetIn(largeRoom).hold(65 * MIB, nothing), { message: 'NestedTooLarge' })
    t.ok(budgetIn(smallRoom).limitError('MemoryLimit') instanceof RoomTooSmall)
    t.match(budgetIn(largeRoom).limitError('MemoryLimit'), { message: 'MemoryLimit' })
  }
)

t.test('a third nested unpacker moves to the large room, a fifth is refused', async (t) => {
  const nest = async (budget: Budget, levels: number): Promise<void> => {
    if (levels > 0) {
      await budget.withUnpacker(async () => await nest(budget, levels - 1))
    }
  }

  await nest(budgetIn(smallRoom), 2)
  await t.rejects(nest(budgetIn(smallRoom), 3), RoomTooSmall)
  await nest(budgetIn(largeRoom), 4)
  await t.rejects(nest(budgetIn(largeRoom), 5), { message: 'NestedTooDeep' })
})

t.test('a scan that is in the small room for too long moves to the large one', async (t) => {
  const budget = budgetIn({ ...smallRoom, semaphore: createSemaphore({ permits: 1 }), maxMs: 0 })

  budget.unpack(1)
  budget.countEntry()
  await budget.withRoom(async () => {
    t.throws(() => budget.unpack(1), RoomTooSmall)
    t.throws(() => budget.countEntry(), RoomTooSmall)
    await t.rejects(budget.hold(1, nothing), RoomTooSmall)
  })
})

t.test(
  'time never refuses an archive: the small room passes it on, the large one gives no verdict',
  async (t) => {
    const outOfTime = { code: 'SCAN_UNAVAILABLE', retryable: false }
    for (const [room, expected] of [
      [smallRoom, { name: 'RoomTooSmall' }],
      [largeRoom, outOfTime]
    ] as const) {
      const budget = budgetIn({ ...room, semaphore: createSemaphore({ permits: 1 }), maxMs: 0 })

      await t.rejects(budget.withUnpacker(nothing), expected)
      t.match(errorOf('time', budget), expected)
    }
  }
)

t.test('time in the large room counts only while something is unpacked', async (t) => {
  const budget = budgetIn({ ...largeRoom, semaphore: createSemaphore({ permits: 1 }), maxMs: 1000 })

  await budget.withRoom(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    t.equal(budget.msLeft(), 1000)
    await budget.withUnpacker(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
    })
    t.ok(budget.msLeft() < 1000)
  })
})

t.test('a scan leaves the room as soon as it holds little memory, and after a failure', async (t) => {
  const first = budgetIn()
  const second = budgetIn()

  await t.rejects(
    first.hold(2 * MIB, async () => {
      throw new Error('broken')
    }),
    /broken/
  )
  await first.hold(2 * MIB, nothing)
  let isSecondIn = false
  await second.hold(2 * MIB, async () => {
    isSecondIn = true
  })

  t.ok(isSecondIn)
})
