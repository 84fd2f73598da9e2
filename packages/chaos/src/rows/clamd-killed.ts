import { eicar, uniqueText } from '@filewright/acceptance'
import { poll } from '@filewright/testing'
import { checkHistory } from '../harness/checker.js'
import { leaksAfterTenMinutes } from '../harness/census.js'
import { startLanes } from '../harness/lanes.js'
import { createTally, type Row } from '../harness/row.js'

const LANES = 6
const PROJECT = 'clamd-killed'

export const clamdKilled: Row = {
  name: 'kill -9 clamd in mid-scan',
  promises: ['P2', 'P3', 'P10'],
  target: '100 kills, 0 fail-open',
  counts: { quick: 3, full: 100 },
  run: async ({ rig: start, count, random, history }) => {
    const rig = await start()
    const tally = createTally()
    const subject = rig.subject({ history })
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
    try {
      for (let kill = 0; kill < count; kill++) {
        await poll(() => rig.proxies.clamd.openConnections() > 0, {
          what: 'a scan under way',
          timeoutMs: 30_000,
          intervalMs: 1
        })
        tally.injected++
        if (rig.proxies.clamd.openConnections() > 0) tally.hit++
        await rig.clamd.kill()
        const startedAt = performance.now()
        await rig.clamd.restart()
        await poll(async () => (await subject.upload({ project: PROJECT })).status === 201, {
          what: 'uploads working again',
          timeoutMs: 60_000,
          intervalMs: 50
        })
        tally.recoveryMs.push(performance.now() - startedAt)
      }
    } finally {
      await lanes.stop()
    }
    await rig.ready()
    tally.expect(
      tally.recoveryMs.every((ms) => ms < 30_000),
      'it did not heal within 30 s'
    )
    tally.violations.push(
      ...(await checkHistory(history.read(), subject)),
      ...(await leaksAfterTenMinutes(rig))
    )
    return tally
  }
}
