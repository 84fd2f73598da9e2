import { realpath, writeFile } from 'node:fs/promises'
import { BadRequestError, type Filewright } from '@filewright/client'
import { explainFailure, isFailure } from '@filewright/contracts'
import { filterOf } from '../analysis/apply-config.js'
import { findSources, leftOutText, readSource } from '../analysis/sources.js'
import { loadConfigs } from '../config/load-config.js'
import { DIFF_TOO_LARGE, unifiedDiff } from '../diff.js'
import { Failure } from '../failure.js'
import { jsonText, oneLine, type Io } from '../io.js'

export interface OptimizeFlags {
  write?: boolean
  optimizationType?: 'performance' | 'readability' | 'security'
  language?: string
  framework?: string
  json?: boolean
}

export async function optimize(
  io: Io,
  client: Filewright,
  paths: string[],
  flags: OptimizeFlags
): Promise<void> {
  const { write = false, optimizationType, language, framework, json = false } = flags
  // git names its root without links.
  const cwd = await realpath(io.cwd)
  const isWanted = filterOf(await loadConfigs(cwd, paths))
  const { files: sources, leftOut } = await findSources(paths, cwd, language, isWanted)
  if (sources.length === 0) {
    throw new Failure(
      leftOut.size === 0 ? 'The given paths contain no files' : `There are only ${leftOutText(leftOut)}`
    )
  }
  if (leftOut.size > 0) io.note(`Left out: ${leftOutText(leftOut)}\n`)
  const results: object[] = []
  let failed = 0
  for (const source of sources) {
    const read = await readSource(source)
    if ('skipped' in read) {
      io.note(`${source.path}: left out, ${read.skipped}\n`)
      continue
    }
    const { code } = read
    try {
      const result = await client.ai.optimize({
        code,
        language: source.language,
        ...(optimizationType === undefined ? {} : { optimization_type: optimizationType }),
        ...(framework === undefined ? {} : { framework })
      })
      const optimized =
        code.endsWith('\n') && !result.optimized_code.endsWith('\n')
          ? `${result.optimized_code}\n`
          : result.optimized_code
      if (write) await writeFile(source.absolute, optimized)
      results.push({ path: source.path, written: write, ...result })
      if (json) continue
      const diff = unifiedDiff(source.path, code, optimized)
      if (diff !== null) io.outData(diff)
      else if (write) io.note(`${source.path}: ${DIFF_TOO_LARGE}\n`)
      else {
        failed++
        io.note(`${source.path}: ${DIFF_TOO_LARGE}; --write writes the result, --json prints it\n`)
        continue
      }
      for (const { line, description } of result.changes) {
        io.note(`${source.path}:${line} ${oneLine(description)}\n`)
      }
      if (write) io.note(`${source.path}: written\n`)
    } catch (error) {
      if (!(error instanceof BadRequestError)) throw error
      // Code without possible improvements is not a failure.
      if (isFailure(error)) failed++
      io.note(`${source.path}: ${explainFailure(error)}\n`)
    }
  }
  if (json) io.out(jsonText({ files: results }))
  if (failed > 0 && failed === sources.length) {
    throw new Failure('No file was optimized; the lines above say why')
  }
}
