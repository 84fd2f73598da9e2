import { BadRequestError, type Filewright } from '@filewright/client'
import { sarifLevels } from '@filewright/contracts'
import { findSources, leftOutText, readSource } from '../analysis/sources.js'
import { asGithub, asJson, asText, type FileReport } from '../analysis/report.js'
import { asSarif, reportOf } from '../analysis/sarif.js'
import { exitCodes, Failure, withReason } from '../failure.js'
import { counted, jsonText, type Io } from '../io.js'
import { eachInParallel } from '../pool.js'

export const formats = ['text', 'json', 'sarif', 'github'] as const
export type Format = (typeof formats)[number]
export const thresholds = ['error', 'warning', 'suggestion', 'never'] as const

export interface AnalyzeFlags {
  format: Format
  failOn: (typeof thresholds)[number]
  minScore?: number
  analysisType?: 'security' | 'performance' | 'style' | 'bugs'
  language?: string
  framework?: string
  parallel: number
}

export async function analyze(
  io: Io,
  client: Filewright,
  paths: string[],
  flags: AnalyzeFlags
): Promise<void> {
  const { files: sources, leftOut } = await findSources(
    paths.length === 0 ? ['.'] : paths,
    io.cwd,
    flags.language
  )
  if (sources.length === 0) {
    throw new Failure(
      leftOut.size === 0
        ? 'There is no file in what you named'
        : `There are only ${leftOutText(leftOut)}; name a file itself to look for secrets in it`
    )
  }
  if (leftOut.size > 0) io.note(`Left out: ${leftOutText(leftOut)}\n`)
  const reports = new Map<string, FileReport>()
  let ended = 0

  await eachInParallel(sources, flags.parallel, async (source) => {
    const read = await readSource(source)
    if ('skipped' in read) io.note(`${source.path}: left out, ${read.skipped}\n`)
    else await analyzeOne(source.path, source.language, read.code)
    ended++
    io.draw([`${ended} of ${counted(sources.length, 'file')}`])
  }).finally(() => {
    io.draw([])
  })

  async function analyzeOne(path: string, language: string, code: string): Promise<void> {
    const { analysisType, framework } = flags
    try {
      const log = await client.ai.analyzeAsSarif({
        code,
        language,
        ...(analysisType === undefined ? {} : { analysis_type: analysisType }),
        ...(framework === undefined ? {} : { framework })
      })
      reports.set(path, reportOf({ path, language, lines: code.split(/\r?\n/) }, log))
    } catch (error) {
      // The model's context is smaller than the largest file: the others go on.
      if (!(error instanceof BadRequestError)) throw error
      io.note(`${path}: left out: ${withReason(error)}\n`)
    }
  }

  const sorted = sources.flatMap(({ path }) => reports.get(path) ?? [])
  print(io, sorted, flags.format)
  noteLimits(io, sorted)
  assertBelow(sorted, flags)
}

function print(io: Io, reports: FileReport[], format: Format): void {
  if (format === 'sarif') io.out(jsonText(asSarif(reports)))
  else if (format === 'json') io.out(jsonText({ files: reports.map(asJson) }))
  else if (format === 'github') io.out(reports.map(asGithub).join(''))
  else {
    for (const report of reports) io.out(asText(io, report))
    const count = reports.reduce((sum, { findings }) => sum + findings.length, 0)
    const lowest = reports.reduce<FileReport | undefined>(
      (low, one) => (low === undefined || one.score < low.score ? one : low),
      undefined
    )
    io.out(
      `${counted(count, 'finding')} in ${counted(reports.length, 'file')}${lowest === undefined ? '' : `; the lowest score is ${lowest.score}, of ${lowest.path}`}\n`
    )
  }
}

/** What a score does not say: how much was looked at, and by whom. */
function noteLimits(io: Io, reports: FileReport[]): void {
  for (const { path, language, isRead } of reports) {
    if (isRead) continue
    io.note(
      `${path}: there is no analyzer for ${language}; only the rules for every language were applied, such as the one for secrets, so its score says little\n`
    )
  }
  if (reports.some(({ engine }) => engine === 'sandbox')) {
    io.note(
      'This server has no language model: findings marked as sandbox findings are samples, all others are real\n'
    )
  } else if (reports.some(({ engine }) => engine === 'static')) {
    io.note(
      'The findings are those of the analyzers alone: the language model did not answer for every file\n'
    )
  }
}

function assertBelow(reports: FileReport[], { failOn, minScore }: AnalyzeFlags): void {
  const reached =
    failOn === 'never'
      ? []
      : reports.flatMap(({ findings }) =>
          findings.filter(({ level }) => sarifLevels.indexOf(level) <= thresholds.indexOf(failOn))
        )
  const low = minScore === undefined ? [] : reports.filter(({ score }) => score < minScore)
  if (reached.length > 0) {
    throw new Failure(`--fail-on ${failOn}: ${counted(reached.length, 'finding')}`, exitCodes.findings)
  }
  if (low.length > 0) {
    throw new Failure(
      `--min-score ${minScore ?? 0}: ${counted(low.length, 'file')} below it: ${low.map(({ path }) => path).join(', ')}`,
      exitCodes.findings
    )
  }
}
