import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChaosProxy } from '@filewright/testing'
import type { Row } from '../harness/row.js'
import { withScanCell } from '../harness/scan-cell.js'

const WITHOUT_MS = { quick: 12_000, full: 60_000 }

export const workersWithoutClamd: Row = {
  name: 'seven scan workers, five of them still without clamd',
  promises: ['P7', 'P10'],
  target: '60 s at 10 uploads per second, 0 failed uploads, the gateway stays ready',
  counts: { quick: 5, full: 5 },
  run: async (context) => {
    const { rig, tally, after } = context
    const folder = mkdtempSync(join(tmpdir(), 'filewright-sockets-'))
    after(() => rmSync(folder, { recursive: true, force: true }))
    await withScanCell(context, 'without-clamd', async (cell) => {
      await Promise.all([cell.startWorker(), cell.startWorker()])
      await cell.startUploads()
      const sockets = Array.from({ length: context.count }, (_, number) => join(folder, `${number}.sock`))
      const late = await Promise.all(
        sockets.map(async (socket) => await cell.startWorker({ CLAMD_SOCKET: socket }))
      )
      await cell.allAnswer(late, 503)
      tally.injected = context.count
      tally.hit = context.count
      await cell.gatewayStaysReadyFor(WITHOUT_MS[context.profile])
      const returnedAt = performance.now()
      for (const path of sockets) {
        after((await startChaosProxy({ target: { path: rig.clamd.socketPath }, path })).close)
      }
      await cell.allAnswer(late, 200)
      tally.recoveryMs.push(performance.now() - returnedAt)
    })
  }
}
