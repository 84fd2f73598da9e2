import {
  BadRequestError,
  NotFoundError,
  ServiceError,
  type AnalyzeRequest,
  type Filewright,
  type SarifLog
} from '@filewright/client'
import { Failure, sentenceOf } from '../failure.js'
import { counted, type Io } from '../io.js'
import { printable } from '../local-files.js'
import { eachInParallel } from '../pool.js'
import type { FileReport } from './report.js'
import { reportsOf } from './sarif.js'
import { FILES_PER_BATCH, inBatches, type NamedSource, type ReadSource } from './sources.js'

export interface CollectOptions {
  analysisType?: AnalyzeRequest['analysis_type']
  framework?: string
  /** One request per file; otherwise one for many files. */
  withModel: boolean
  parallel: number
}

/** Has the service analyze the files, and names those without a result. */
export async function collectReports<S extends NamedSource>(
  io: Io,
  client: Filewright,
  sources: readonly S[],
  read: (source: S) => Promise<{ code: string } | { skipped: string }>,
  { analysisType, framework, withModel, parallel }: CollectOptions
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
      const result = await read(source)
      if ('code' in result) yield { path: source.path, language: source.language, code: result.code }
      else leaveOut(source.path, `, ${result.skipped}`)
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
