import ts from 'typescript'
import type { Language } from '@filewright/contracts'
import { compareRuns, type Comparison, type FunctionRun } from './compare-runs.js'
import { dataUnits } from './data-units.js'
import { withCallers, type Unreached } from './indirect.js'
import type { Probe } from './instrument.js'
import { noticeMutants } from './notice-mutants.js'
import { planOf, withoutUnits } from './plan-runs.js'
import { OutOfWorkError } from './program-types.js'
import { createSandbox } from './sandbox.js'
import { toSandboxScript } from './sandbox-script.js'
import { createReach, parseScript, targetsIn } from './targets.js'

export type { FunctionRun } from './compare-runs.js'

export interface RunCheckInput {
  before: string
  after: string
  language: Language
  /** Deliberate mistakes in `before` that the inputs should detect. */
  mutants?: readonly Mutant[] | undefined
  /** The work limit of the check, in the sandbox's units. */
  maxWork?: number | undefined
}

/** A deliberate mistake. Inputs that do not detect it prove nothing about its place. */
export interface Mutant {
  start: number
  end: number
  /** It is enough to detect one of them. */
  texts: readonly string[]
}

export interface RunCheck {
  /** Empty if the comparison was not completed, because it then proves nothing. */
  functions: FunctionRun[]
  /** For each mutant, whether some input detected it. */
  noticed: boolean[]
  /**
   * Changed branches of either version that no input reached, so the run proves nothing about them. Absent if
   * this was not recorded.
   */
  unreached?: Unreached[]
  /** Units that only hold data, if every function that may use them was compared. Otherwise absent. */
  data?: string[]
  /** Private units that were compared through every function that may use them. Otherwise absent. */
  indirect?: string[]
  /** The work of the check, in the sandbox's units. */
  work: number
}

/** The limit of one check: one to two seconds of an idle core. */
export const MAX_WORK = 400_000_000
/** What remains is for mutants. */
const GUIDED_WORK = { most: 120_000_000, beforeMutants: 300_000_000 }

export async function runScripts(input: RunCheckInput): Promise<RunCheck | null> {
  const { before, after, language, mutants = [], maxWork = MAX_WORK } = input
  const whole = planOf(before, after, language, createReach(before, after, language))
  const [script, rewritten] = [toSandboxScript(before, language), toSandboxScript(after, language)]
  const total = Math.min(maxWork, MAX_WORK)
  const budget = { left: total }
  const probes = { before: script?.probes ?? [], after: rewritten?.probes ?? [] }
  const siblings = { before: siblingsIn(probes.before), after: siblingsIn(probes.after) }
  const noticed = mutants.map(() => false)
  let functions: FunctionRun[] = []
  let unreached: Unreached[] = []
  if (script === null) return null

  async function compareWithout(left: ReadonlySet<string>): Promise<Comparison | null> {
    const { plan, units } = withoutUnits(whole, left)
    if (units.length === 0) return null
    plan.probes = Math.max(probes.before.length, probes.after.length)
    return await compareRuns(
      {
        plan: JSON.stringify(plan),
        units,
        before: script!.text,
        after: rewritten?.text ?? null,
        siblings,
        guidedWork: GUIDED_WORK
      },
      { openSandbox: async () => await createSandbox(budget), workLeft: () => budget.left }
    )
  }

  try {
    // Only the module itself calls these, so the functions that it exports show what they do.
    let indirect = whole.moved
    let comparison = await compareWithout(indirect)
    const idle = [...whole.hidden].filter((unit) => comparison?.functions.every((run) => run.unit !== unit))
    if (comparison?.isComplete === false && idle.length > indirect.size) {
      indirect = new Set(idle)
      comparison = await compareWithout(indirect)
    }
    if (comparison === null) return null
    functions = comparison.functions
    const isIndirectProven = indirect.size > 0 && comparison.isComplete
    unreached = withCallers(
      [...unreachedIn(input, comparison, probes), ...unspread(input, functions)],
      new Set([...indirect, ...whole.added]),
      functions
    )
    if (functions.every(({ isSame }) => isSame)) {
      await noticeMutants(mutants, noticed, async ({ start, end }, text, maxInputs) => {
        const mutant = toSandboxScript(before.slice(0, start) + text + before.slice(end), language)
        return mutant !== null && (await comparison.notices(mutant.text, maxInputs))
      })
    }
    return {
      functions,
      noticed,
      unreached,
      ...(comparison.isComplete ? { data: dataUnits(before, after, language) } : {}),
      ...(isIndirectProven ? { indirect: [...indirect] } : {}),
      work: total - budget.left
    }
  } catch (error) {
    if (!(error instanceof OutOfWorkError)) throw error
    // Functions that were not compared are not proven.
    return { functions, noticed, unreached, work: total }
  }
}

function siblingsIn(probes: readonly Probe[]): Map<number, number> {
  return new Map(probes.flatMap(({ other }, probe) => (other === undefined ? [] : [[probe, other] as const])))
}

/** The probes of code that differs between the versions and that no input reached. */
function unreachedIn(
  { before, after, language }: RunCheckInput,
  { reached }: Comparison,
  probes: { before: readonly Probe[]; after: readonly Probe[] }
): Unreached[] {
  const sides = [
    { code: before, other: after, own: probes.before, seen: reached.before },
    { code: after, other: before, own: probes.after, seen: reached.after }
  ]
  return sides.flatMap(({ code, other, own, seen }) => {
    const source = parseScript(code, language)
    const rest = parseScript(other, language)
    const kept = new Set(rest.statements.map((each) => each.getText(rest)))
    const units = new Map<ts.Statement, string>()
    for (const { node, unit } of targetsIn(source)) {
      let statement: ts.Node = node
      while (!ts.isSourceFile(statement.parent)) statement = statement.parent
      units.set(statement as ts.Statement, unit)
    }
    return own.flatMap(({ start, what }, probe): Unreached[] => {
      if (seen.has(probe)) return []
      const statement = source.statements.find((each) => start >= each.getStart(source) && start < each.end)
      const unit = statement === undefined ? undefined : units.get(statement)
      if (statement === undefined || unit === undefined || kept.has(statement.getText(source))) return []
      return isInKeptPart(statement, start, source, other) ? [] : [{ unit, what }]
    })
  })
}

/**
 * The number of arguments of a call is limited. If only the rewrite spreads an array into arguments, long
 * arrays must be among the inputs.
 */
function unspread(
  { before, after, language }: RunCheckInput,
  functions: readonly FunctionRun[]
): Unreached[] {
  const spreads = (code: string): number => {
    let count = 0
    const visit = (node: ts.Node): void => {
      if (ts.isSpreadElement(node) && !ts.isArrayLiteralExpression(node.parent)) count++
      if (ts.isPropertyAccessExpression(node) && node.name.text === 'apply') count++
      ts.forEachChild(node, visit)
    }
    visit(parseScript(code, language))
    return count
  }
  if (spreads(after) <= spreads(before)) return []
  return functions
    .filter(({ isSame, isLongCompared }) => isSame && isLongCompared !== true)
    .map(({ unit }) => ({ unit, what: 'a call with the elements of a long array' }))
}

/** Whether the offset is in a method or property that is identical in the other version. */
function isInKeptPart(node: ts.Node, start: number, source: ts.SourceFile, other: string): boolean {
  if ((ts.isClassElement(node) || ts.isObjectLiteralElement(node)) && other.includes(node.getText(source))) {
    return true
  }
  return (
    ts.forEachChild(
      node,
      (child) =>
        (start >= child.getStart(source) && start < child.end && isInKeptPart(child, start, source, other)) ||
        undefined
    ) === true
  )
}
