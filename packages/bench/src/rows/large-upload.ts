import { startChild } from '../child.js'
import type { BenchContext, Measurement, Row } from '../context.js'
import type { RawSpec, RawTimes } from '../floors/raw-process.js'
import { spreadOf } from '../statistics.js'

const SIZE_BYTES = 50 * 1024 * 1024

async function run({ stack, clamdSocket, load, heavyRounds, quick }: BenchContext): Promise<Measurement> {
  const raw = await startChild<RawSpec, RawTimes>('./floors/raw-process.js')
  const upload = async (): Promise<number> => {
    const { p50Ms, firstFailure } = await load.ask({
      origin: stack.baseUrl,
      headers: { authorization: `Bearer ${stack.token}` },
      call: { kind: 'upload', path: '/api/files/upload', sizeBytes: SIZE_BYTES },
      concurrency: 1,
      durationMs: 60_000,
      maxRequests: 1,
      status: 201
    })
    if (firstFailure !== undefined) throw new Error(firstFailure)
    return p50Ms
  }
  const floor = async (): Promise<RawTimes> =>
    await raw.ask({ folder: stack.dataDir, clamdSocket, sizeBytes: SIZE_BYTES })
  try {
    if (!quick) await upload()
    await floor()
    const ours: number[] = []
    const theirs: RawTimes[] = []
    for (let round = 0; round < heavyRounds; round++) {
      ours.push(await upload())
      theirs.push(await floor())
    }
    const ratio = spreadOf(
      ours.map((ms, i) => ms / ((theirs[i]?.scanMs ?? NaN) + (theirs[i]?.writeMs ?? NaN)))
    )
    const middle = (of: (times: RawTimes) => number): string => spreadOf(theirs.map(of)).median.toFixed(0)
    const note = `upload ${spreadOf(ours).median.toFixed(0)} ms, clamd alone ${middle(({ scanMs }) => scanMs)} ms, disk alone ${middle(({ writeMs }) => writeMs)} ms`
    return { value: ratio.median, min: ratio.min, max: ratio.max, note }
  } finally {
    await raw.stop()
  }
}

export const largeUploadRows: Row[] = [
  {
    name: 'upload 50 MiB, alone',
    measure: 'time ÷ (raw clamd time + raw write time)',
    goal: { atMost: 1.1 },
    run
  }
]
