import {
  BadRequestError,
  NotFoundError,
  ServiceError,
  type Filewright,
  type SarifLog
} from '@filewright/client'
import { sarifLevels } from '@filewright/contracts'
import {
  FILES_PER_BATCH,
  findSources,
  inBatches,
  leftOutText,
  readSource,
  type ReadSource,
  type SourceFile
} from '../analysis/sources.js'
import { asGithub, asJson, asText, type FileReport } from '../analysis/report.js'
import { asSarif, reportsOf } from '../analysis/sarif.js'
import { exitCodes, Failure, sentenceOf } from '../failure.js'
import { counted, jsonText, type Io } from '../io.js'
import { printable } from '../local-files.js'
import { eachInParallel } from '../pool.js'
import type { Connection } from '../session.js'

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
  /** Whether to use the language model; by default only for files that the user names. */
  model?: boolean
  parallel: number
}

export async function analyze(
  io: Io,
  { client, server }: Pick<Connection, 'client' | 'server'>,
  paths: string[],
  flags: AnalyzeFlags
): Promise<void> {
  const { files, leftOut } = await findSources(paths.length === 0 ? ['.'] : paths, io.cwd, flags.language)
  if (files.length === 0) {
    throw new Failure(
      leftOut.size === 0
        ? 'The given paths contain no files'
        : `There are only ${leftOutText(leftOut)}; name a file to check it for secrets`
    )
  }
  if (leftOut.size > 0) io.note(`Left out: ${leftOutText(leftOut)}\n`)
  // A model takes seconds per file, and a folder may hold thousands.
  const isOfFolder = files.some(({ isNamed }) => !isNamed)
  const withModel = flags.model ?? !isOfFolder
  if (flags.model === undefined && isOfFolder) {
    io.note('Folders are analyzed without the language model; use --model to include it\n')
  }
  const reports = await collectReports(io, client, files, { ...flags, withModel })
  if (reports.length === 0) throw new Failure('None of the files could be analyzed; the lines above say why')
  print(io, reports, flags.format, server)
  noteLimits(io, reports, withModel)
  assertBelow(reports, flags)
}

/** With the model, one request per file; otherwise one for many files. */
async function collectReports(
  io: Io,
  client: Filewright,
  sources: readonly SourceFile[],
  { analysisType, framework, withModel, parallel }: AnalyzeFlags & { withModel: boolean }
): Promise<FileReport[]> {
  const reports = new Map<string, FileReport>()
  let ended = 0
  const onEnded = (): void => {
    io.draw([`${++ended} of ${counted(sources.length, 'file')}`])
  }
  const leaveOut = (path: string, reason: string): void => {
    io.note(`${printable(path)}: left out${reason}\n`)
    onEnded()
  }
  const options = {
    ...(analysisType === undefined ? {} : { analysis_type: analysisType }),
    ...(framework === undefined ? {} : { framework })
  }

  async function* readable(): AsyncGenerator<ReadSource> {
    for (const source of sources) {
      const read = await readSource(source)
      if ('code' in read) yield { ...source, ...read }
      else leaveOut(source.path, `, ${read.skipped}`)
    }
  }

  const ask = async (files: readonly ReadSource[]): Promise<SarifLog> => {
    const [file] = files
    if (withModel && file !== undefined) {
      return await client.ai.analyzeAsSarif({ code: file.code, language: file.language, ...options })
    }
    const sent = files.map(({ path, code, language }) => ({ path, code, language }))
    return await client.ai.analyzeBatchAsSarif({ files: sent, ...options })
  }

  async function analyzeTogether(files: readonly ReadSource[]): Promise<void> {
    try {
      for (const report of reportsOf(files, await ask(files))) {
        reports.set(report.path, report)
        onEnded()
      }
    } catch (error) {
      if (error instanceof NotFoundError) {
        throw new Failure('The server is older than this command and takes one file at a time; add --model')
      }
      const isTooSlow = error instanceof ServiceError && error.status === 504
      if (!(error instanceof BadRequestError || isTooSlow)) throw error
      // A file that the service refuses or times out on does not block the others.
      if (files.length > 1) for (const file of files) await analyzeTogether([file])
      else leaveOut(files[0]?.path ?? '', `: ${sentenceOf(error)}`)
    }
  }

  const groups = inBatches(readable(), withModel ? 1 : FILES_PER_BATCH)
  try {
    await eachInParallel(groups, parallel, analyzeTogether)
  } finally {
    io.draw([])
  }
  return sources.flatMap(({ path }) => reports.get(path) ?? [])
}

function print(io: Io, reports: FileReport[], format: Format, server: string): void {
  if (format === 'sarif') io.out(jsonText(asSarif(reports)))
  else if (format === 'json') io.out(jsonText({ files: reports.map(asJson) }))
  else if (format === 'github') io.out(reports.map(asGithub).join(''))
  else {
    for (const report of reports) io.out(asText(report, server))
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

/** What the score does not show: how much was analyzed, and by which engine. */
function noteLimits(io: Io, reports: FileReport[], withModel: boolean): void {
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
  } else if (withModel && reports.some(({ engine }) => engine === 'static')) {
    io.note('The findings come from the analyzers only: the language model did not answer for every file\n')
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
