import t from 'tap'
import type { DownloadEntry } from '@filewright/db'
import { createDownloadLog, type DownloadLogDeps } from '../../../src/modules/recalls/download-log.js'

function logOf(options: Partial<DownloadLogDeps> = {}) {
  let minute = 0
  const written: DownloadEntry[][] = []
  const warnings: object[] = []
  const state: { fault: Error | null; gate: Promise<void> } = { fault: null, gate: Promise.resolve() }
  const log = createDownloadLog({
    downloads: {
      record: async (entries) => {
        const copy = entries.map((entry) => ({ ...entry }))
        await state.gate
        if (state.fault !== null) throw state.fault
        written.push(copy)
      }
    },
    clock: { now: () => new Date(minute++ * 60_000) },
    logger: {
      warn: ((facts: object) => {
        warnings.push(facts)
      }) as never
    },
    keepDays: 90,
    ...options
  })
  return { log, written, warnings, state }
}

t.test('downloads of one token and file are one entry with both times', async (t) => {
  const { log, written } = logOf()
  log.note('t1', 'f1')
  log.note('t2', 'f1')
  log.note('t1', 'f1')

  await log.flush()
  await log.flush()

  t.strictSame(
    written[0]?.map(({ tokenId, count, firstAt, lastAt }) => [tokenId, count, +firstAt, +lastAt]),
    [
      ['t1', 2, 0, 120_000],
      ['t2', 1, 60_000, 60_000]
    ]
  )
  t.equal(written.length, 1, 'nothing is written twice')
})

t.test(
  'while the database is down, downloads continue, and no entry is lost up to the maximum',
  async (t) => {
    const dropped: number[] = []
    const { log, written, warnings, state } = logOf({
      maxEntries: 3,
      onDropped: (count) => {
        dropped.push(count)
      }
    })
    state.fault = new Error('down')
    log.note('t', 'f1')
    log.note('t', 'f2')
    await log.flush()
    log.note('t', 'f1')
    log.note('t', 'f3')
    log.note('t', 'f4')
    log.note('t', 'f4')
    await log.flush()
    t.strictSame(dropped, [2])

    state.fault = null
    await log.flush()

    t.strictSame(written[0]?.map(({ fileId, count }) => [fileId, count]).toSorted(), [
      ['f1', 2],
      ['f2', 1],
      ['f3', 1]
    ])
    t.ok(warnings.length >= 2)
  }
)

t.test('downloads during a write are kept, and a flush waits for all earlier downloads', async (t) => {
  const { log, written, state } = logOf()
  let open = (): void => {}
  state.gate = new Promise((resolve) => {
    open = resolve
  })
  log.note('t', 'f1')
  const first = log.flush()
  await new Promise(setImmediate)
  log.note('t', 'f2')
  const [second, third] = [log.flush(), log.flush()]
  open()
  await Promise.all([first, second, third])

  t.strictSame(
    written.map((entries) => entries.map(({ fileId }) => fileId)),
    [['f1'], ['f2']]
  )
})

t.test('many entries are written in several statements, and the rest stays when one fails', async (t) => {
  const { log, written, state } = logOf()
  for (let i = 0; i < 2_500; i++) log.note('t', `f${i}`)
  await log.flush()
  t.strictSame(
    written.map((entries) => entries.length),
    [1_000, 1_000, 500]
  )
  state.fault = new Error('down')
  for (let i = 0; i < 1_500; i++) log.note('t', `g${i}`)
  await log.flush()
  state.fault = null
  await log.stop()
  t.equal(written.flat().length, 4_000, 'a stop writes what is left')
})

t.test('0 days records nothing', async (t) => {
  const { log, written } = logOf({ keepDays: 0 })
  log.start()
  log.note('t', 'f')
  await log.stop()
  t.strictSame(written, [])
})
