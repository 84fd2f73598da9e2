import { poll } from '@filewright/testing'
import { startLanes } from '../harness/lanes.js'
import { uploadsRecover } from '../harness/recovery.js'
import type { Row } from '../harness/row.js'

const LANES = 6
const PROJECT = 'redis-killed'
/** Far above the second and a half that a command may take, below the deadline for a verdict. */
const FAST_MS = 15_000
/** Below the deadline for a verdict: a client whose job was lost must get its response before that. */
const WAITED_MS = 18_000

export const redisKilled: Row = {
  name: 'kill and wipe Redis under load',
  promises: ['P1', 'P2', 'P7', 'P10', 'P13'],
  target: '30 kills, 10 wipes, 0 lost; fast 503 while down',
  counts: { quick: 3, full: 40 },
  run: async ({ rig, tally, after, count, history }) => {
    const subject = rig.subject({ history, onFault: tally.violate })
    const kept = await subject.upload({ project: PROJECT })
    let acknowledged = 0
    const lanes = startLanes(LANES, async (lane) => {
      const { status, id, ms } = await subject.upload({ project: PROJECT })
      tally.operations++
      tally.expect(ms < WAITED_MS, `an upload was answered ${status} after ${Math.round(ms)} ms`)
      tally.expect(status === 201 || status === 503, `an upload answered ${status}`)
      if (status === 201) acknowledged++
      if (lane === 0 && id !== undefined) await subject.remove(id)
    })
    after(lanes.stop)
    for (let kill = 0; kill < count; kill++) {
      const enough = acknowledged + LANES * 2
      await poll(() => acknowledged >= enough, { what: 'uploads between two kills', timeoutMs: 60_000 })
      tally.injected++
      await rig.redis.kill()
      const refused = await subject.upload({ project: PROJECT })
      if (refused.status === 503) tally.hit++
      tally.expect(
        refused.ms < FAST_MS,
        `${refused.status} took ${Math.round(refused.ms)} ms while Redis was down`
      )
      const read = await subject.download(kept.id ?? '')
      tally.expect(read.status === 200, `a download answered ${read.status} while Redis was down`)
      // It restarts without data.
      await rig.redis.restart()
      await uploadsRecover(tally, subject, PROJECT)
    }
  }
}
