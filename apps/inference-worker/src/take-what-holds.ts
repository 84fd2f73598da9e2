import { compareExports, type Analyzers, type RunCheck, type UnitChange } from '@filewright/analysis/pool'
import type { Language } from '@filewright/contracts'
import { isAppError } from '@filewright/runtime'

export interface ProofDeps {
  analysis: Pick<Analyzers, 'checkSyntax' | 'exportsOf' | 'compareRewrite' | 'mergeRewrite' | 'runCheck'>
  signal: AbortSignal
  /** What code of this job may still do, over all its runs. */
  runWork: RunWork
}

export interface RunWork {
  left: number
}

/** Enough for two checks of the longest kind. */
const MAX_RUN_WORK = 800_000_000

export function createRunWork(): RunWork {
  return { left: MAX_RUN_WORK }
}

/** How many functions gave the same on how many inputs. */
export interface Proof {
  functions: number
  inputs: number
}

export interface Taken {
  code: string
  /** Null where nothing could be run. */
  proof: Proof | null
  /** The changed units that are not in it, and why. */
  refused: Array<{ name: string; why: string }>
}

/** Every round leaves out what failed in the one before. */
const MAX_ROUNDS = 4

/**
 * Takes from a rewrite the units that gain something and lose nothing. What a unit no longer says or does is
 * forgiven only if running it would have shown the difference and showed none. Null for languages without
 * units.
 */
export async function takeWhatHolds(
  before: string,
  after: string,
  language: Language,
  deps: ProofDeps
): Promise<Taken | null> {
  const { analysis, signal } = deps
  const changes = await analysis.compareRewrite({ before, after, language }, { signal })
  if (changes === null) return null
  const refused: Taken['refused'] = []
  const isWorthIt = (change: UnitChange): boolean => {
    const why = change.refusal ?? (change.gains.length === 0 ? 'nothing is gained' : null)
    if (why !== null) refused.push({ name: change.name, why })
    return why === null
  }
  let wanted = changes.filter(isWorthIt)

  for (let round = 0; round < MAX_ROUNDS && wanted.length > 0; round++) {
    const code = await analysis.mergeRewrite(
      { before, after, language, take: wanted.map(({ name }) => name) },
      { signal }
    )
    const mutants = wanted.flatMap(({ losses }) => losses.flatMap(({ mutant }) => mutant ?? []))
    const run = await runBoth({ before, after: code, language, mutants }, deps)
    const failed = failuresOf(wanted, run, mutants)
    if (failed.size === 0) {
      return (await keepsItsFace(before, code, language, deps))
        ? { code, proof: proofOf(run), refused }
        : { code: before, proof: null, refused }
    }
    refused.push(...[...failed].map(([name, why]) => ({ name, why })))
    wanted = wanted.filter(({ name }) => !failed.has(name))
  }
  return { code: before, proof: null, refused }
}

/** The tools' fixes, without those of functions that no longer do the same. */
export async function takeFixes(
  before: string,
  after: string,
  language: Language,
  deps: ProofDeps
): Promise<{ code: string; proof: Proof | null }> {
  // Python starts in seconds, which only the rewrite of a model is worth.
  if (language === 'python') return { code: after, proof: null }
  const run = await runBoth({ before, after, language }, deps)
  if (run === null || run.functions.every(({ isSame }) => isSame)) return { code: after, proof: proofOf(run) }
  const changes =
    (await deps.analysis.compareRewrite({ before, after, language }, { signal: deps.signal })) ?? []
  const differing = new Set(run.functions.filter(({ isSame }) => !isSame).map(({ unit }) => unit))
  const take = changes.filter(({ top }) => !differing.has(top)).map(({ name }) => name)
  const code = await deps.analysis.mergeRewrite({ before, after, language, take }, { signal: deps.signal })
  const again = await runBoth({ before, after: code, language }, deps)
  return again === null || again.functions.every(({ isSame }) => isSame)
    ? { code, proof: proofOf(again) }
    : { code: before, proof: null }
}

/** What running both versions shows; null where nothing could be run or something differs. */
export async function prove(
  before: string,
  after: string,
  language: Language,
  deps: ProofDeps
): Promise<Proof | null> {
  const run = await runBoth({ before, after, language }, deps)
  return run === null || run.functions.some(({ isSame }) => !isSame) ? null : proofOf(run)
}

type RunInput = Parameters<Analyzers['runCheck']>[0]

/** A run that fails or has no work left proves nothing. */
async function runBoth(input: RunInput, { analysis, signal, runWork }: ProofDeps): Promise<RunCheck | null> {
  if (runWork.left <= 0) return null
  try {
    const run = await analysis.runCheck({ ...input, maxWork: runWork.left }, { signal })
    runWork.left -= run?.work ?? 0
    return run
  } catch (error) {
    signal.throwIfAborted()
    // A machine that is too busy must not give another answer than an idle one.
    if (isAppError(error, 'DEADLINE_EXCEEDED')) throw error
    // It ended its process, so what it did is unknown.
    runWork.left = 0
    return null
  }
}

/** Units that cannot be taken, with the reason. */
function failuresOf(
  wanted: readonly UnitChange[],
  run: RunCheck | null,
  mutants: readonly object[]
): Map<string, string> {
  const failed = new Map<string, string>()
  const differing = (run?.functions ?? []).filter(({ isSame }) => !isSame)
  for (const { unit, difference = 'it does something else' } of differing) {
    const own = wanted.filter(({ top }) => top === unit)
    // Where an unchanged function gives something else, any of those that changed may be the reason.
    for (const { name } of own.length > 0 ? own : wanted) failed.set(name, difference)
  }
  if (failed.size > 0) return failed
  // What was not run, because the code cannot be loaded or a check took too long, is not known to be the same.
  const wasRun = new Set((run?.functions ?? []).map(({ unit }) => unit))
  for (const { name, top, canRun } of wanted) {
    if (canRun && !wasRun.has(top)) failed.set(name, 'it could not be run')
  }
  if (failed.size > 0) return failed
  const isProven = (mutant: object | null): boolean =>
    mutant !== null && run !== null && run.noticed[mutants.indexOf(mutant)] === true
  for (const { name, losses } of wanted) {
    const loss = losses.find(({ mutant }) => !isProven(mutant))
    if (loss !== undefined) failed.set(name, `it loses ${loss.what}`)
  }
  return failed
}

function proofOf(run: RunCheck | null): Proof | null {
  if (run === null || run.functions.length === 0) return null
  return { functions: run.functions.length, inputs: Math.min(...run.functions.map(({ inputs }) => inputs)) }
}

/**
 * Only what a parser of ours vouches for may replace somebody's code, and only if it offers the same to
 * others.
 */
async function keepsItsFace(
  before: string,
  code: string,
  language: Language,
  { analysis, signal }: ProofDeps
): Promise<boolean> {
  if ((await analysis.checkSyntax(code, language, { signal })).ok !== true) return false
  const offered = await analysis.exportsOf(before, language, { signal })
  if (offered === null) return true
  const offers = await analysis.exportsOf(code, language, { signal })
  return offers !== null && compareExports(offered, offers).kept
}
