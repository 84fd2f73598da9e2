import { setTimeout as sleep } from 'node:timers/promises'
import { eicar, uniqueText } from '@filewright/acceptance'
import { poll } from '@filewright/testing'
import { checkHistory } from '../harness/checker.js'
import { leaksAfterTenMinutes } from '../harness/census.js'
import { startLanes } from '../harness/lanes.js'
import type { Rig } from '../harness/rig.js'
import { createTally, type Row } from '../harness/row.js'
import { connectionsTo } from '../harness/sockets.js'

const WORKERS = ['scan-worker-1', 'scan-worker-2']
const LANES = 8

export const scanWorkerKilled: Row = {
  name: 'kill -9 scan-worker in mid-scan',
  promises: ['P1', 'P2', 'P3'],
  target: '200 kills, 0 lost, 0 flagged bytes served',
  counts: { quick: 3, full: 200 },
  run: async ({ rig: start, count, random, history }) => {
    const rig = await start()
    const tally = createTally()
    const subject = rig.subject({ history })
    let killedAt = 0
    // Every piece waits on its way to clamd: a scan takes long enough to be met in its middle.
    rig.proxies.clamd.delay(150)
    const lanes = startLanes(LANES, async (lane, turn) => {
      const flagged = random.fork(`${lane}/${turn}`).below(4) === 0
      const content = flagged ? Buffer.from(eicar) : uniqueText(60_000)
      const startedAt = performance.now()
      const { status, name, ms } = await subject.upload({ project: 'worker-killed', content, flagged })
      tally.operations++
      tally.expect(status === (flagged ? 400 : 201), `${name}: ${flagged ? 'flagged' : 'clean'}, answered ${status} after ${Math.round(ms)} ms`)
      if (killedAt > startedAt && ms > 2_000) tally.recoveryMs.push(performance.now() - killedAt)
    })
    try {
      for (let kill = 0; kill < count; kill++) {
        const name = random.pick(WORKERS)
        const pid = await scanningPid(rig, name)
        tally.injected++
        if (await connectionsTo(pid, rig.proxies.clamd.port) > 0) tally.hit++
        process.kill(pid, 'SIGKILL')
        killedAt = performance.now()
        // Not all at once: a job survives three dead workers, not four.
        await sleep(random.between(900, 1_800))
      }
    } finally {
      await lanes.stop()
      rig.proxies.clamd.delay(0)
    }
    await poll(() => WORKERS.every((name) => rig.stack.pid(name) !== undefined), { what: 'both workers', timeoutMs: 30_000 })
    await rig.ready()
    tally.violations.push(...await checkHistory(history.read(), subject), ...await leaksAfterTenMinutes(rig))
    return tally
  }
}

async function scanningPid (rig: Rig, name: string): Promise<number> {
  return await poll(async () => {
    const pid = rig.stack.pid(name)
    return pid !== undefined && await connectionsTo(pid, rig.proxies.clamd.port) > 0 ? pid : null
  }, { what: `${name} in the middle of a scan`, timeoutMs: 60_000, intervalMs: 10 })
}
