import { setTimeout as sleep } from 'node:timers/promises'
import { uniqueText } from '@filewright/acceptance'
import { contest } from '../harness/contest.js'
import { startFairCell } from '../harness/fair-cell.js'
import { createTally, type Row } from '../harness/row.js'
import { open } from '../hostile/raw.js'
import { uploadRequest } from '../hostile/upload-request.js'

const SAMPLES = { quick: 8, full: 40 }
const SIZE_BYTES = 200_000
/** Below the default of MAX_UPLOADS_PER_TOKEN, because refused uploads cost nothing. */
const AT_ONCE = 100
/** From before the row is inserted until after the scan was requested. */
const LEAVES_AFTER_MS = { least: 20, most: 320 }
/** One round follows the other. */
const WITHOUT_PAUSE = 1_000_000

export const fairUploads: Row = {
  name: 'fair-uploads: one token leaves its uploads in the middle',
  promises: ['P8', 'P14'],
  target: "another token's uploads: p95 at most 4 × their own and one job, no 5xx",
  counts: { quick: 400, full: 2_000 },
  comparesTimes: true,
  run: async ({ rig: start, random, count, profile, say }) => {
    const rig = await start()
    const tally = createTally()
    // Turns must work by themselves: the request limit would end the load after a second.
    const { cell, greedy, modest, hangMs } = await startFairCell(rig, { RATE_LIMIT_PER_MINUTE: '0' })
    try {
      const b = cell.subject({ token: modest.token, hangMs })
      const { token, project } = greedy
      // Made once: B's times are taken in this process, which must not be busy with A.
      const request = uploadRequest({ token, project, name: 'left.txt', content: uniqueText(SIZE_BYTES) })
      const leaveAfter = async (ms: number): Promise<number> => {
        const socket = await open(cell.baseUrl)
        socket.write(request)
        await sleep(ms)
        socket.destroy()
        return 0
      }
      const load = {
        name: `${count} uploads of ${SIZE_BYTES / 1000} KB left after up to ${LEAVES_AFTER_MS.most / 1000} s`,
        count,
        atOnce: AT_ONCE,
        perMinute: WITHOUT_PAUSE,
        send: async () => await leaveAfter(random.between(LEAVES_AFTER_MS.least, LEAVES_AFTER_MS.most)),
        longest: async () => await leaveAfter(LEAVES_AFTER_MS.most)
      }
      const small = {
        expected: 201,
        samples: SAMPLES[profile],
        send: async () => await b.upload({ project: modest.project, sizeBytes: 500 })
      }
      await contest({ load, small, profile, tally, say })
      tally.violations.push(...b.takeFaults())
    } finally {
      await cell.stop()
    }
    return tally
  }
}
