import { inFlight } from '@filewright/acceptance'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCell, type Cell } from '../harness/cell.js'
import { startLanes } from '../harness/lanes.js'
import { uploadsRecover } from '../harness/recovery.js'
import type { Row } from '../harness/row.js'

const VICTIMS = ['gateway', 'scan-worker', 'inference-worker', 'redis', 'postgres', 'clamd'] as const
const FROZEN_MS = { quick: 1_500, full: 20_000 }
const CELLS = { quick: 1, full: 5 }
const PROJECT = 'frozen'

export const processesFrozen: Row = {
  name: 'every process frozen 20 s in turn',
  promises: ['P1', 'P2', 'P7', 'P10'],
  target: 'deadlines hold, nothing published twice, 6 × 10',
  counts: { quick: 1, full: 10 },
  run: async ({ rig, tally, count, profile, random, history }) => {
    const oneCell = async (number: number): Promise<void> => {
      const cell = await startCell(rig)
      try {
        await cell.ready()
        const subject = cell.subject({ history, onFault: tally.violate, hangMs: FROZEN_MS.full + 40_000 })
        for (let turn = number; turn < count; turn += CELLS[profile]) {
          for (const victim of random.fork(turn).shuffled(VICTIMS)) await freezeOne(cell, subject, victim)
        }
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
        await uploadsRecover(tally, subject, PROJECT)
      } finally {
        await lanes.stop()
      }
      if (met > 0) tally.hit++
      else tally.violate(`${victim}: the freeze affected no request`)
    }

    await inFlight(CELLS[profile], CELLS[profile], oneCell)
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
