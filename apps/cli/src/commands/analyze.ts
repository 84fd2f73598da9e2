import { BadRequestError, type Filewright } from '@filewright/client'
import { findSources, readSource } from '../analysis/sources.js'
import { asGithub, asJson, asText, type FileReport } from '../analysis/report.js'
import { asSarif } from '../analysis/sarif.js'
import { exitCodes, Failure } from '../failure.js'
import { counted, jsonText, type Io } from '../io.js'
import { eachInParallel } from '../pool.js'

export const formats = ['text', 'json', 'sarif', 'github'] as const
export type Format = (typeof formats)[number]
export const thresholds = ['warning', 'suggestion', 'never'] as const

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
  const sources = await findSources(paths.length === 0 ? ['.'] : paths, io.cwd, flags.language)
  if (sources.length === 0) {
    throw new Failure('There is no code in a language with analyzers in what you named')
  }
  const reports = new Map<string, FileReport>()
  let ended = 0

  await eachInParallel(sources, flags.parallel, async (source) => {
    const read = await readSource(source)
    if ('skipped' in read) io.note(`${source.path}: left out, ${read.skipped}\n`)
    else await analyzeOne(source.path, source.language, read.code)
    ended++
    if (io.isTerminal) io.note(`\r\u001b[K${ended} of ${sources.length} files`)
  })
  if (io.isTerminal) io.note('\r\u001b[K')

  async function analyzeOne(path: string, language: string, code: string): Promise<void> {
    const { analysisType, framework } = flags
    try {
      const { analysis, score, suggestions } = await client.ai.analyze({
        code,
        language,
        ...(analysisType === undefined ? {} : { analysis_type: analysisType }),
        ...(framework === undefined ? {} : { framework })
      })
      const findings = analysis.toSorted((a, b) => a.line - b.line)
      reports.set(path, { path, language, lines: code.split(/\r?\n/), findings, score, suggestions })
    } catch (error) {
      // The model's context is smaller than the largest file: the others go on.
      if (!(error instanceof BadRequestError)) throw error
      io.note(`${path}: left out, ${error.message.toLowerCase()}\n`)
    }
  }

  const sorted = sources.flatMap(({ path }) => reports.get(path) ?? [])
  print(io, sorted, flags.format)
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

function assertBelow(reports: FileReport[], { failOn, minScore }: AnalyzeFlags): void {
  const reached =
    failOn === 'never'
      ? []
      : reports.flatMap(({ findings }) =>
          findings.filter(({ type }) => failOn === 'suggestion' || type === 'warning')
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
