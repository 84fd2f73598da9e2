import { inFlight } from '@filewright/acceptance'
import type { Judged } from './judge.js'
import { expectationOf, type Manifest } from './manifest.js'
import type { Options } from './options.js'
import type { Sample } from './sample.js'
import { upload, type UploadDeps } from './upload.js'

export interface Progress {
  say: (line: string) => void
  /** Samples that could not be created or read, with the reason. */
  skipped: string[]
  /** Once aborted, nothing more is uploaded; results so far count. */
  signal: AbortSignal
}

const TOLD_EVERY = 500

/** Uploads the samples of the wanted kinds, at most `limit` of each. */
export async function uploadFiles(
  samples: readonly Sample[],
  manifest: Manifest,
  { kinds, limit, lanes }: Options,
  deps: UploadDeps,
  { say, skipped, signal }: Progress
): Promise<Judged[]> {
  const outcomes: Judged[] = []
  const counts = new Map<string, number>()
  say(`${samples.length} files gathered`)
  await inFlight(samples.length, lanes, async (number) => {
    const sample = samples[number]
    if (sample === undefined || signal.aborted) return
    if (number > 0 && number % TOLD_EVERY === 0) say(`${number} of ${samples.length}`)
    const bytes = await sample.load().catch((error: unknown) => {
      skipped.push(`${sample.name} (${sample.source}): ${String(error)}`)
      return null
    })
    if (bytes === null) return
    const expectation = expectationOf(manifest, sample, bytes)
    const { kind } = expectation
    const count = counts.get(kind) ?? 0
    if (!kinds.includes(kind) || count >= limit) return
    counts.set(kind, count + 1)
    const outcome = await upload(sample, kind, bytes, deps)
    // The interrupt may have reached the service too.
    if (!signal.aborted) outcomes.push({ ...outcome, expectation })
  })
  return outcomes
}
