import { setTimeout as sleep } from 'node:timers/promises'
import { uniqueText } from '@filewright/acceptance'
import { fairRow } from '../harness/fair-row.js'
import { open } from '../hostile/raw.js'
import { uploadRequest } from '../hostile/upload-request.js'

const SIZE_BYTES = 200_000
/** From before the row is inserted until after the scan was requested. */
const LEAVES_AFTER_MS = { least: 20, most: 320 }

export const fairUploads = fairRow({
  name: 'fair-uploads: one token leaves its uploads in the middle',
  target: "another token's uploads: p95 at most 4 × their own and one job, no 5xx",
  counts: { quick: 400, full: 2_000 },
  samples: { quick: 8, full: 40 },
  // Turns must work by themselves: the request limit would end the load after a second.
  env: { RATE_LIMIT_PER_MINUTE: '0' },
  loads: async ({ random, count, cell, greedy, modest, modestly }) => {
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
    return [
      {
        load: {
          name: `${count} uploads of ${SIZE_BYTES / 1000} KB left after up to ${LEAVES_AFTER_MS.most / 1000} s`,
          count,
          // Below the default of MAX_UPLOADS_PER_TOKEN, because refused uploads cost nothing.
          atOnce: 100,
          // High enough for one round to follow the other without a pause.
          perMinute: 1_000_000,
          send: async () => await leaveAfter(random.between(LEAVES_AFTER_MS.least, LEAVES_AFTER_MS.most)),
          longest: async () => await leaveAfter(LEAVES_AFTER_MS.most)
        },
        small: {
          expected: 201,
          send: async () => await modestly.upload({ project: modest.project, sizeBytes: 500 })
        }
      }
    ]
  }
})
