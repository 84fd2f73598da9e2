import { poll } from '@filewright/testing'
import { untilWithdrawn } from '../harness/checker.js'
import { startLanes } from '../harness/lanes.js'
import { uploadsRecover } from '../harness/recovery.js'
import type { Row } from '../harness/row.js'

const LANES = 8
const PROJECT = 'postgres-restarted'

export const postgresRestarted: Row = {
  name: 'PostgreSQL immediate restart',
  promises: ['P1', 'P2', 'P5', 'P7', 'P10'],
  target: '30 restarts, acknowledged writes survive, 0 lost',
  counts: { quick: 2, full: 30 },
  // A delete that got 503 may have happened, like one without a response.
  settle: (operations) =>
    operations.map((each) => (each.op === 'delete' && each.status === 503 ? { ...each, status: 0 } : each)),
  run: async ({ rig, tally, after, count, history }) => {
    const subject = rig.subject({ history, onFault: tally.violate })
    let acknowledged = 0
    let refused = 0
    const lanes = startLanes(LANES, async (lane, turn) => {
      const { status, id } = await subject.upload({ project: PROJECT })
      tally.operations++
      if (status === 201) acknowledged++
      else refused++
      tally.expect(status === 201 || status === 503, `an upload answered ${status}`)
      if (id !== undefined && (lane + turn) % 3 === 0) {
        const { status: removed } = await subject.remove(id)
        tally.expect(removed === 200 || removed === 503, `a delete answered ${removed}`)
      }
    })
    after(lanes.stop)
    for (let restart = 0; restart < count; restart++) {
      const enough = acknowledged + LANES * 2
      await poll(() => acknowledged >= enough, { what: 'uploads between two restarts', timeoutMs: 60_000 })
      const refusedBefore = refused
      tally.injected++
      await rig.postgres.crash()
      await poll(() => refused > refusedBefore, {
        what: 'an upload that met the outage',
        timeoutMs: 30_000
      })
      tally.hit++
      await rig.postgres.start()
      await uploadsRecover(tally, subject, PROJECT)
    }
    await lanes.stop()
    await rig.ready()
    await untilWithdrawn(history.read(), subject)
  }
}
