import { uniqueText } from '@filewright/acceptance'
import type { Load } from '../harness/contest.js'
import { fairRow } from '../harness/fair-row.js'
import type { Profile } from '../harness/row.js'
import { bzip2Bombs, manyMembers } from '../hostile/costly-files.js'

const SIZES = {
  quick: { bombMegabytes: 50, archives: 3, members: 2_000, large: 12 },
  full: { bombMegabytes: 390, archives: 8, members: 9_000, large: 40 }
}
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

export const fairScans = fairRow({
  name: 'fair-scans: one token uploads what is expensive to scan',
  target: "another token's p95 at most 4 × its own and one job, no 5xx",
  counts: { quick: 8, full: 12 },
  samples: { quick: 6, full: 20 },
  loads: async ({ profile, count, tally, cell, greedy, modest, modestly, hangMs }) => {
    const greedily = cell.subject({ token: greedy.token, hangMs, onFault: tally.violate })
    return (await loadsOf(profile, count)).map(({ make, file, ...load }) => ({
      load: {
        ...load,
        // The default of RATE_LIMIT_PER_MINUTE.
        perMinute: 600,
        send: async () =>
          (await greedily.upload({ project: greedy.project, name: file, content: make() })).status
      },
      small: {
        expected: 201,
        send: async () => await modestly.upload({ project: modest.project, sizeBytes: 500 })
      }
    }))
  }
})
