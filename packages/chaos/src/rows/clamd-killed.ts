import { eicar, uniqueText } from '@filewright/acceptance'
import { poll } from '@filewright/testing'
import { startLanes } from '../harness/lanes.js'
import { uploadsRecover } from '../harness/recovery.js'
import type { Row } from '../harness/row.js'

const LANES = 6
const PROJECT = 'clamd-killed'

export const clamdKilled: Row = {
  name: 'kill -9 clamd in mid-scan',
  promises: ['P2', 'P3', 'P10'],
  target: '100 kills, 0 fail-open',
  counts: { quick: 3, full: 100 },
  run: async ({ rig, tally, after, count, random, history }) => {
    const subject = rig.subject({ history, onFault: tally.violate })
    const lanes = startLanes(LANES, async (lane, turn) => {
      const flagged = random.fork(`${lane}/${turn}`).below(3) === 0
      const { status, name } = await subject.upload({
        project: PROJECT,
        content: flagged ? Buffer.from(eicar) : uniqueText(40_000),
        flagged
      })
      tally.operations++
      tally.expect(
        status === (flagged ? 400 : 201) || status === 503,
        `${name}: ${flagged ? 'flagged' : 'clean'}, answered ${status}`
      )
    })
    after(lanes.stop)
    for (let kill = 0; kill < count; kill++) {
      await poll(() => rig.proxies.clamd.openConnections() > 0, {
        what: 'a scan under way',
        timeoutMs: 30_000,
        intervalMs: 1
      })
      tally.injected++
      if (rig.proxies.clamd.openConnections() > 0) tally.hit++
      await rig.clamd.kill()
      await rig.clamd.restart()
      await uploadsRecover(tally, subject, PROJECT)
    }
  }
}
