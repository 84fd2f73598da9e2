import { lstat, realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Filewright } from '@filewright/client'
import { fingerprintKeys } from '@filewright/contracts'
import { applyRules, configOf, filterOf } from './apply-config.js'
import { loadConfigs } from '../config/load-config.js'
import { CONFIG_FILE, noConfig, type ProjectConfig } from '../config/parse-config.js'
import { exitCodes, Failure } from '../failure.js'
import type { Io } from '../io.js'
import { printable } from '../local-files.js'
import { readBaseline, type KnownFinding } from './baseline.js'
import { collectReports, type CollectOptions } from './collect.js'
import { compare, type Comparison } from './compare.js'
import type { FileReport } from './report.js'
import { fingerprintsOfReport } from './sarif.js'
import { findChanged, readOld, type OldSource } from './since.js'
import { findSources, leftOutText, readSource, type SourceFile } from './sources.js'

export interface InspectFlags extends Omit<CollectOptions, 'withModel'> {
  language?: string
  /** Whether to use the language model; by default only for files that the user names. */
  model?: boolean
  /** SARIF of an earlier run. */
  baseline?: string
  /** A git ref: analyzes only files that differ from it, and compares them with their old versions. */
  since?: string
}

export interface Inspection extends Comparison {
  /** The number of findings of rules that `.filewright.yml` turns off. */
  off: number
  withModel: boolean
  /** Whether the findings have states. */
  isCompared: boolean
}

function engineFor(io: Io, files: readonly SourceFile[], { model }: InspectFlags): boolean {
  // A model takes seconds per file, and a folder may hold thousands.
  const isOfFolder = files.some(({ isNamed }) => !isNamed)
  if (model === undefined && isOfFolder) {
    io.note('Folders are analyzed without the language model; use --model to include it\n')
  }
  return model ?? !isOfFolder
}

function noteLeftOut(io: Io, leftOut: ReadonlyMap<string, number>): void {
  if (leftOut.size > 0) io.note(`Left out: ${leftOutText(leftOut)}\n`)
}

/** The findings of a run, for comparison with a later one. */
export function knownIn(reports: readonly FileReport[]): KnownFinding[] {
  return reports.flatMap((report) => {
    const prints = fingerprintsOfReport(report)
    return report.findings.map(({ state: _state, rule, ...finding }, index) => ({
      path: report.path,
      rule,
      place: prints[index]![fingerprintKeys.place],
      line: prints[index]![fingerprintKeys.line],
      finding: { ...finding, ruleId: rule, fingerprints: prints[index]! }
    }))
  })
}

/** The paths of a baseline inside the working folder that no longer exist. */
async function goneOf(known: readonly KnownFinding[], cwd: string): Promise<ReadonlySet<string>> {
  const gone = new Set<string>()
  for (const path of new Set(known.map((each) => each.path))) {
    if (/^\/|^[A-Za-z]:|\\|\p{Cc}/u.test(path) || path.split('/').includes('..')) continue
    if ((await lstat(resolve(cwd, path)).catch(() => null)) === null) gone.add(path)
  }
  return gone
}

/** Analyzes the changed files and their old versions. */
async function inspectSince(
  io: Io,
  client: Filewright,
  paths: readonly string[],
  ref: string,
  flags: InspectFlags
): Promise<Inspection> {
  const changed = await findChanged(ref, paths, io.cwd, flags.language)
  const {
    git,
    config: { config },
    files,
    old,
    oldPath,
    leftOut,
    skipped
  } = changed
  noteLeftOut(io, leftOut)
  for (const { path, why } of skipped) io.note(`${printable(path)}: left out, ${why}\n`)
  const withModel = engineFor(io, files, flags)
  const options = { ...flags, withModel }
  const { reports, off } = applyRules(
    await collectReports(io, client, files, readSource, options),
    () => config
  )
  const readBefore = async (source: OldSource) => await readOld(git, source)
  const { reports: before } = applyRules(
    await collectReports(io, client, old, readBefore, options),
    () => config
  )
  const oldLines = new Map(before.map(({ path, lines }) => [path, lines]))
  const current = new Set(reports.map(({ path }) => oldPath(path)))
  return {
    ...compare(reports, {
      known: knownIn(before),
      oldPath,
      isGone: (path) => !current.has(path),
      oldLines: (path) => oldLines.get(oldPath(path))
    }),
    off,
    withModel,
    isCompared: true
  }
}

/** Analyzes files. With a baseline or a ref, also determines which findings are new. */
export async function inspect(
  io: Io,
  client: Filewright,
  paths: readonly string[],
  flags: InspectFlags
): Promise<Inspection> {
  const { baseline, since } = flags
  if (baseline !== undefined && since !== undefined) {
    throw new Failure('--baseline and --since are two ways to say the same; use one', exitCodes.usage)
  }
  if (since !== undefined) return await inspectSince(io, client, paths, since, flags)
  // Read first, so that an invalid baseline costs no analysis.
  const known = baseline === undefined ? null : await readBaseline(baseline, io.cwd)
  // git resolves links in the path of its root.
  const cwd = await realpath(io.cwd)
  const given = paths.length === 0 ? ['.'] : paths
  const configs = await loadConfigs(cwd, given)
  const configFor = (path: string): ProjectConfig => configOf(configs, resolve(cwd, path))
  const { files, leftOut } = await findSources(given, cwd, flags.language, filterOf(configs))
  if (files.length === 0) {
    const hasConfig = configs.some(({ config }) => config !== noConfig)
    throw new Failure(
      leftOut.size === 0
        ? `The given paths contain no files${hasConfig ? ` that ${CONFIG_FILE} includes` : ''}`
        : `There are only ${leftOutText(leftOut)}; name a file to check it for secrets`
    )
  }
  noteLeftOut(io, leftOut)
  const withModel = engineFor(io, files, flags)
  const collected = await collectReports(io, client, files, readSource, { ...flags, withModel })
  const { reports, off } = applyRules(collected, configFor)
  if (reports.length === 0) throw new Failure('None of the files could be analyzed; the lines above say why')
  if (known === null) return { reports, absent: [], off, withModel, isCompared: false }
  // A finding does not count as absent because its rule was turned off.
  const comparable = known.filter(({ path, rule }) => configFor(path).rules.get(rule) !== 'off')
  const gone = await goneOf(comparable, cwd)
  return {
    ...compare(reports, {
      known: comparable,
      oldPath: (path) => path,
      isGone: (path) => gone.has(path),
      oldLines: () => undefined
    }),
    off,
    withModel,
    isCompared: true
  }
}
