import { rm } from 'node:fs/promises'
import { createClient } from '@filewright/acceptance'
import { containers } from './containers/containers.js'
import { gather } from './gather/gather.js'
import { judgeContainers, judgeFiles, type Judged } from './judge.js'
import { readManifest } from './manifest.js'
import { matchesAny, type Options } from './options.js'
import { createRandom, shuffled } from './random.js'
import { LIBREOFFICE_PROFILE } from './recipes/libreoffice.js'
import { containersReport, refusalsOf, slowestOf, tableByKind, typesOf } from './report.js'
import type { Outcome } from './sample.js'
import { openService } from './service.js'
import type { ToolsDeps } from './tools.js'
import { uploadContainers } from './upload-containers.js'
import { uploadFiles } from './upload-files.js'

/** One in this many accepted files is downloaded and compared. */
const COMPARED_ONE_IN = 8
const QUICK_CONTAINERS = 150

export interface RunDeps {
  tools: ToolsDeps
  /** The folder for downloads. */
  cacheFolder: string
  modulesFolder: string
  /** Takes progress and the report. */
  say: (line: string) => void
  /** Ends the run early, with a report of the results so far. */
  signal: AbortSignal
}

export interface RunResult {
  seed: number
  files: Judged[]
  containers: Outcome[]
  skipped: string[]
  clamdPeakMb: number | null
  /** Expectations that are not met. */
  problems: string[]
}

export async function runRealFiles(
  options: Options,
  { tools, cacheFolder, modulesFolder, say, signal }: RunDeps
): Promise<RunResult> {
  const { seed, kinds, folders, names, limit, quick } = options
  const manifest = await readManifest()
  const random = createRandom(seed)
  const skipped: string[] = []
  say(`Seed ${seed}`)
  const gathered = await gather(options, { random, quick, tools, cacheFolder, modulesFolder, say, skipped })
  // Shuffled, so that a run that ends early has covered every source.
  const samples = shuffled(gathered, random)
  const progress = { say, skipped, signal }
  const withContainers = kinds.includes('eicar') && folders.length === 0
  const chosen = new Set(
    shuffled(
      containers.filter(({ name }) => withContainers && matchesAny(name, names)),
      random
    ).slice(0, Math.min(limit, quick ? QUICK_CONTAINERS : Infinity))
  )

  const service = await openService(options, say)
  try {
    const deps = {
      client: createClient(service.baseUrl, service.token),
      baseUrl: service.baseUrl,
      compares: () => random() * COMPARED_ONE_IN < 1,
      removes: service.isForeign,
      project: `realfiles-${seed}`
    }
    const files = await uploadFiles(samples, manifest, options, deps, progress)
    const infected = await uploadContainers(
      containers.filter((container) => chosen.has(container)),
      tools,
      deps,
      progress
    )
    const clamdPeakMb = await service.clamdPeakMb()
    const problems = [...judgeFiles(files, manifest), ...judgeContainers(infected, manifest)]
    if (clamdPeakMb !== null && clamdPeakMb > manifest.clamdPeakMb) {
      problems.push(`clamd took ${clamdPeakMb} MB, at most ${manifest.clamdPeakMb}`)
    }
    const result = { seed, files, containers: infected, skipped, clamdPeakMb, problems }
    if (files.length > 0) say(filesReport(files))
    if (infected.length > 0) say(`\n${containersReport(infected, manifest)}`)
    say(`\n${summaryOf(result)}`)
    return result
  } finally {
    await service.stop()
    await rm(LIBREOFFICE_PROFILE, { recursive: true, force: true })
  }
}

const filesReport = (files: readonly Judged[]): string =>
  ['', refusalsOf(files), typesOf(files), slowestOf(files), tableByKind(files)].join('\n\n')

function summaryOf({ skipped, clamdPeakMb, problems }: RunResult): string {
  return [
    ...(skipped.length === 0 ? [] : [`Skipped, ${skipped.length}:`, ...skipped.map((line) => `  ${line}`)]),
    `clamd's memory at its peak: ${clamdPeakMb === null ? 'not seen from here' : `${clamdPeakMb} MB`}`,
    problems.length === 0 ? 'Every expectation holds.' : `${problems.length} expectations do not hold:`,
    ...problems.map((problem) => `  ${problem}`)
  ].join('\n')
}
