import type { Analyzers } from './analysis-pool/pool.js'
import type { RunCheck, UnitChange } from '@filewright/rewrites'
import { compareExports, isOneOf, scriptLanguages } from '@filewright/analysis/results'
import type { Language } from '@filewright/contracts'
import { isAppError } from '@filewright/runtime'

export interface ProofDeps {
  analysis: Pick<Analyzers, 'checkSyntax' | 'exportsOf' | 'compareRewrite' | 'mergeRewrite' | 'runCheck'>
  signal: AbortSignal
  /** The remaining work budget of this job's code, over all runs. */
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

/** How many functions returned the same on how many inputs. */
export interface Proof {
  functions: number
  inputs: number
}

export interface Taken {
  code: string
  /** Null where nothing was executed: an SQL statement has the same parse tree. */
  proof: Proof | null
  /** The changed units that are not included, and why. */
  refused: Array<{ name: string; why: string }>
}

/** Every iteration leaves out what failed in the previous one. */
const MAX_ROUNDS = 4
/** Why a unit is refused whose comparison did not finish. */
export const NOT_RUN = 'it could not be run on all planned inputs'
/**
 * Below this share of the work, a rewrite counts as a gain; a smaller difference may come from the sandbox.
 */
const LESS_WORK = 0.95

/**
 * Takes from a rewrite the units that are proven to behave the same on all planned inputs and that gain
 * something. Null for languages without proof. Keeps the original line endings.
 */
export async function takeVerifiedUnits(
  before: string,
  after: string,
  language: Language,
  deps: ProofDeps
): Promise<Taken | null> {
  if (!before.includes('\r\n')) return await takeUnits(before, unixLines(after), language, deps)
  const isMixed = /(?<!\r)\n/.test(before)
  // Line endings have no meaning in these languages. A file with mixed ones stays unchanged.
  const taken = isMixed
    ? await takeUnits(before, windowsLines(after), language, deps)
    : await takeUnits(unixLines(before), unixLines(after), language, deps)
  return taken === null || isMixed ? taken : { ...taken, code: windowsLines(taken.code) }
}

const unixLines = (code: string): string => code.replaceAll('\r\n', '\n')
const windowsLines = (code: string): string => code.replace(/\r?\n/g, '\r\n')

async function takeUnits(
  before: string,
  after: string,
  language: Language,
  deps: ProofDeps
): Promise<Taken | null> {
  const { analysis, signal } = deps
  const changes = await analysis.compareRewrite({ before, after, language }, { signal })
  if (changes === null) return null
  const refused: Taken['refused'] = []
  /** Units that were proven together with units that gain nothing may need those. */
  let proven: Taken | null = null
  let wanted = changes.filter(({ name, refusal }) => {
    if (refusal !== null) refused.push({ name, why: refusal })
    return refusal === null
  })

  const ifExportsAreKept = async (taken: Taken): Promise<Taken> =>
    (await preservesExports(before, taken.code, language, deps))
      ? taken
      : { ...taken, code: before, proof: null }

  for (let round = 0; round < MAX_ROUNDS && wanted.length > 0; round++) {
    const code = await analysis.mergeRewrite(
      { before, after, language, take: wanted.map(({ name }) => name) },
      { signal }
    )
    const mutants = wanted.flatMap(({ losses }) => losses.flatMap(({ mutant }) => mutant ?? []))
    const run = await runBoth({ before, after: code, language, mutants }, deps)
    const failed = failuresOf(wanted, run, mutants)
    if (failed.size === 0) {
      const idle = wanted.filter((change) => !gains(change, wanted, run))
      const taken = { code, proof: proofOf(run), refused: [...refused] }
      if (idle.length === 0) return await ifExportsAreKept(taken)
      if (idle.length < wanted.length) proven = taken
      for (const { name } of idle) failed.set(name, 'nothing is gained')
    } else if (proven !== null) break
    refused.push(...[...failed].map(([name, why]) => ({ name, why })))
    wanted = wanted.filter(({ name }) => !failed.has(name))
  }
  return proven === null ? { code: before, proof: null, refused } : await ifExportsAreKept(proven)
}

/** The tools' fixes, without those of functions that behave differently. */
export async function takeFixes(
  before: string,
  after: string,
  language: Language,
  deps: ProofDeps
): Promise<{ code: string; proof: Proof | null }> {
  // Python takes seconds to start, which is worth it only for a model's rewrite.
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

/** The result of running both versions; null where nothing could be run or something differs. */
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

/** A run that fails or exhausts its budget proves nothing. */
async function runBoth(input: RunInput, { analysis, signal, runWork }: ProofDeps): Promise<RunCheck | null> {
  if (runWork.left <= 0) return null
  try {
    const run = await analysis.runCheck({ ...input, maxWork: runWork.left }, { signal })
    runWork.left -= run?.work ?? 0
    return run
  } catch (error) {
    signal.throwIfAborted()
    // A busy machine must not give a different result than an idle one.
    if (isAppError(error, 'DEADLINE_EXCEEDED')) throw error
    // It ended its process, so its behaviour is unknown.
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
    for (const { name, top } of wanted) if (top === unit) failed.set(name, difference)
  }
  // Where only unchanged functions behave differently, any changed one may be the cause.
  if (failed.size === 0 && differing.length > 0) {
    for (const { name } of wanted) failed.set(name, differing[0]!.difference ?? 'it does something else')
  }
  if (failed.size > 0) return failed
  for (const change of wanted) {
    const why = change.proof === 'tree' ? null : whyNotProven(change, run, mutants)
    if (why !== null) failed.set(change.name, why)
  }
  return failed
}

type Loss = UnitChange['losses'][number]

/**
 * Null where the run is a proof: it finished, inputs reached every changed branch of both versions, and they
 * depend on what the rewrite removed.
 */
function whyNotProven(
  { top, losses }: UnitChange,
  run: RunCheck | null,
  mutants: readonly object[]
): string | null {
  const isCompared =
    run?.functions.some(({ unit }) => unit === top) === true ||
    run?.data?.includes(top) === true ||
    run?.indirect?.includes(top) === true
  if (run === null || !isCompared) return NOT_RUN
  const unreached = run.unreached?.find(({ unit }) => unit === top)
  if (unreached !== undefined) return `no generated input reaches ${unreached.what}`
  const isNoticed = ({ mutant }: Loss): boolean =>
    mutant !== null && run.noticed[mutants.indexOf(mutant)] === true
  const literals = losses.filter(({ mutant, notice }) => notice === 'half' && mutant !== null)
  const areLiteralsForgiven = literals.filter(isNoticed).length * 2 >= literals.length
  const isForgiven = (loss: Loss): boolean =>
    isNoticed(loss) ||
    (run.unreached !== undefined &&
      (loss.mutant === null || loss.notice === 'none' || (loss.notice === 'half' && areLiteralsForgiven)))
  const lost = losses.find((each) => !isForgiven(each))
  return lost === undefined ? null : `it loses ${lost.what}`
}

/** Whether the top-level unit gains something: methods of one class depend on each other. */
function gains(change: UnitChange, wanted: readonly UnitChange[], run: RunCheck | null): boolean {
  return (
    wanted.some(({ top, gains: own }) => top === change.top && own.length > 0) || usesLessWork(change, run)
  )
}

/** Whether the sandbox counted less work for it on the same inputs. */
function usesLessWork({ top }: UnitChange, run: RunCheck | null): boolean {
  const own = (run?.functions ?? []).filter(({ unit }) => unit === top)
  const total = (side: 'before' | 'after'): number =>
    own.reduce((sum, { work }) => sum + (work?.[side] ?? 0), 0)
  return total('after') < total('before') * LESS_WORK
}

function proofOf(run: RunCheck | null): Proof | null {
  if (run === null || run.functions.length === 0) return null
  return { functions: run.functions.length, inputs: Math.min(...run.functions.map(({ inputs }) => inputs)) }
}

/** Only code that one of our parsers accepts may replace a user's code, and only with the same exports. */
async function preservesExports(
  before: string,
  code: string,
  language: Language,
  { analysis, signal }: ProofDeps
): Promise<boolean> {
  if ((await analysis.checkSyntax(code, language, { signal })).ok !== true) return false
  const offered = await analysis.exportsOf(before, language, { signal })
  if (offered === null) return true
  const offers = await analysis.exportsOf(code, language, { signal })
  if (offers === null) return false
  const { kept, missing } = compareExports(offered, offers)
  // The parameters of a script were compared unit by unit, and the run has shown what a default value does.
  return isOneOf(language, scriptLanguages) ? missing.length === 0 : kept
}
