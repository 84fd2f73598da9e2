import { setTimeout as sleep } from 'node:timers/promises'
import { startCell, type Cell } from '../harness/cell.js'
import { checkHistory } from '../harness/checker.js'
import { leaksAfterTenMinutes } from '../harness/census.js'
import { startLanes } from '../harness/lanes.js'
import { createTally, type Row } from '../harness/row.js'
import { poll } from '@filewright/testing'

const VICTIMS = ['gateway', 'scan-worker', 'inference-worker', 'redis', 'postgres', 'clamd'] as const
const FROZEN_MS = { quick: 1_500, full: 20_000 }
const CELLS = { quick: 1, full: 5 }
const PROJECT = 'frozen'

export const processesFrozen: Row = {
  name: 'every process frozen 20 s in turn',
  promises: ['P1', 'P2', 'P7', 'P10'],
  target: 'deadlines hold, nothing published twice, 6 × 10',
  counts: { quick: 1, full: 10 },
  run: async ({ rig: start, count, profile, random, history }) => {
    const rig = await start()
    const tally = createTally()

    const oneCell = async (number: number): Promise<void> => {
      const cell = await startCell(rig)
      try {
        await cell.ready()
        const subject = cell.subject({ history, hangMs: FROZEN_MS.full + 40_000 })
        for (let turn = number; turn < count; turn += CELLS[profile]) {
          for (const victim of random.fork(turn).shuffled(VICTIMS)) await freezeOne(cell, subject, victim)
        }
        tally.violations.push(...subject.takeFaults())
      } finally {
        await cell.stop()
      }
    }

    async function freezeOne(
      cell: Cell,
      subject: ReturnType<Cell['subject']>,
      victim: (typeof VICTIMS)[number]
    ): Promise<void> {
      let met = 0
      const lanes = startLanes(3, async (lane, turn) => {
        const startedAt = performance.now()
        const idempotencyKey = `${victim}-${startedAt}-${lane}-${turn}`
        const ai = lane === 0 && victim !== 'gateway'
        const { status } = ai
          ? await subject.ai('analyze', { code: 'let a = 1\n', language: 'js' })
          : await subject.upload({ project: PROJECT, idempotencyKey })
        tally.operations++
        tally.expect([200, 201, 503, 504].includes(status), `${victim} frozen: answered ${status}`)
        if (status >= 500 || performance.now() - startedAt > 1_000) met++
        if (status >= 500) await sleep(100)
      })
      try {
        tally.injected++
        const thaw = freeze(cell, victim)
        await sleep(FROZEN_MS[profile])
        thaw()
        const thawedAt = performance.now()
        await poll(async () => (await subject.upload({ project: PROJECT })).status === 201, {
          what: `uploads after ${victim} was frozen`,
          timeoutMs: 60_000,
          intervalMs: 50
        })
        tally.recoveryMs.push(performance.now() - thawedAt)
      } finally {
        await lanes.stop()
      }
      if (met > 0) tally.hit++
      else tally.violate(`${victim}: nobody noticed the freeze`)
    }

    await Promise.all(
      Array.from({ length: CELLS[profile] }, async (_, number) => {
        await oneCell(number)
      })
    )
    tally.expect(
      tally.recoveryMs.every((ms) => ms < 30_000),
      'it did not heal within 30 s'
    )
    tally.violations.push(
      ...(await checkHistory(history.read(), rig.subject())),
      ...(await leaksAfterTenMinutes(rig))
    )
    return tally
  }
}

/**
 * Freezes our processes with SIGSTOP. All cells share a server, so for a server the cell's own proxy stops
 * forwarding, which has the same effect.
 */
function freeze(cell: Cell, victim: (typeof VICTIMS)[number]): () => void {
  if (victim === 'redis' || victim === 'postgres' || victim === 'clamd') {
    const proxy = cell.proxies[victim]
    proxy.freeze()
    return proxy.thaw
  }
  const pid = cell.app(victim)?.pid ?? 0
  process.kill(pid, 'SIGSTOP')
  return () => {
    process.kill(pid, 'SIGCONT')
  }
}
