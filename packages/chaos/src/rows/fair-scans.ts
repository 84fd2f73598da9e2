import { uniqueText } from '@filewright/acceptance'
import { contest, type Load } from '../harness/contest.js'
import { startFairCell } from '../harness/fair-cell.js'
import { createTally, type Profile, type Row } from '../harness/row.js'
import { bzip2Bombs, manyMembers } from '../hostile/costly-files.js'

/** The default of RATE_LIMIT_PER_MINUTE. */
const PER_MINUTE = 600
const SIZES = {
  quick: { bombMegabytes: 50, archives: 3, members: 2_000, large: 12 },
  full: { bombMegabytes: 390, archives: 8, members: 9_000, large: 40 }
}
const SAMPLES = { quick: 6, full: 20 }
const LARGE_BYTES = 5_000_000

/** Uploads that a token may send, and their costs for the scanner. */
async function loadsOf(
  profile: Profile,
  bombs: number
): Promise<Array<Omit<Load, 'send' | 'perMinute'> & { make: () => Buffer; file: string }>> {
  const { bombMegabytes, archives, members, large } = SIZES[profile]
  const bomb = await bzip2Bombs(bombMegabytes)
  return [
    {
      name: `${bombs} × ${bombMegabytes} MB of zeros in ${bomb().length} bytes of bzip2`,
      count: bombs,
      atOnce: bombs,
      make: bomb,
      file: 'zeros.bz2'
    },
    {
      name: `${archives} archives of ${members} members`,
      count: archives,
      atOnce: archives,
      make: () => manyMembers(members),
      file: 'many.zip'
    },
    {
      name: `${large} × 5 MB`,
      count: large,
      atOnce: large,
      make: () => uniqueText(LARGE_BYTES),
      file: 'large.txt'
    }
  ]
}

export const fairScans: Row = {
  name: 'fair-scans: one token uploads what is expensive to scan',
  promises: ['P8', 'P14'],
  target: "another token's p95 at most 4 × its own and one job, no 5xx",
  counts: { quick: 8, full: 12 },
  comparesTimes: true,
  run: async ({ rig: start, count, profile, say }) => {
    const rig = await start()
    const tally = createTally()
    const { cell, greedy, modest, hangMs } = await startFairCell(rig)
    try {
      const a = cell.subject({ token: greedy.token, hangMs })
      const b = cell.subject({ token: modest.token, hangMs })
      for (const { make, file, ...load } of await loadsOf(profile, count)) {
        const send = async (): Promise<number> =>
          (await a.upload({ project: greedy.project, name: file, content: make() })).status
        const small = {
          expected: 201,
          samples: SAMPLES[profile],
          send: async () => await b.upload({ project: modest.project, sizeBytes: 500 })
        }
        await contest({ load: { ...load, perMinute: PER_MINUTE, send }, small, profile, tally, say })
      }
      tally.violations.push(...b.takeFaults(), ...a.takeFaults())
    } finally {
      await cell.stop()
    }
    return tally
  }
}
