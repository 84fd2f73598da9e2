import type { Language } from '@filewright/contracts'
import type { FunctionRun } from './compare-runs.js'
import { askSandbox, OutOfTimeError, type Question } from './sandbox-thread.js'
import { createReach, planOf, toSandboxScript } from './targets.js'

export type { FunctionRun } from './compare-runs.js'

export interface RunCheckInput {
  before: string
  after: string
  language: Language
  /** Changes of `before` that the inputs should be able to show. */
  mutants?: readonly Mutant[] | undefined
  /** Of the processor, at most. */
  maxCpuMs?: number | undefined
}

/** A deliberate mistake: what the inputs must notice if they are to vouch for its place. */
export interface Mutant {
  start: number
  end: number
  text: string
}

export interface RunCheck {
  functions: FunctionRun[]
  /** For each mutant whether some input showed it. */
  noticed: boolean[]
  /** What it took of the processor. */
  cpuMs: number
}

/**
 * Of the processor, for one check: what is not done by then proves nothing, and the process goes on to the
 * next job.
 */
const MAX_CPU_MS = 2_500

let last: Promise<unknown> = Promise.resolve()

/** One check at a time: there is one thread, and its time is counted by the process's. */
export async function runScripts(input: RunCheckInput): Promise<RunCheck | null> {
  const check = last.then(async () => await runAlone(input))
  last = check.catch(() => {})
  return await check
}

async function runAlone(input: RunCheckInput): Promise<RunCheck | null> {
  const { before, after, language, mutants = [], maxCpuMs = MAX_CPU_MS } = input
  const { plan, units } = planOf(before, language, createReach(before, after, language))
  const script = toSandboxScript(before, language)
  if (units.length === 0 || script === null) return null
  // Starting the thread is not the code's doing.
  await askSandbox({ areYouThere: true }, () => true)
  const started = process.cpuUsage()
  const cpuMs = (): number => {
    const { user, system } = process.cpuUsage(started)
    return (user + system) / 1_000
  }
  const hasTime = (): boolean => cpuMs() < Math.min(maxCpuMs, MAX_CPU_MS)
  const ask = async (question: Question) => {
    const answer = await askSandbox(question, hasTime)
    if ('failure' in answer) throw new Error(answer.failure)
    return answer
  }
  const noticed = mutants.map(() => false)
  const versions = {
    plan: JSON.stringify(plan),
    units,
    before: script,
    after: toSandboxScript(after, language)
  }
  let functions: FunctionRun[] = []

  try {
    const compared = await ask({ versions })
    if (!('functions' in compared) || compared.functions === null) return null
    functions = compared.functions
    if (!functions.every(({ isSame }) => isSame)) return { functions, noticed, cpuMs: cpuMs() }
    for (const [index, { start, end, text }] of mutants.entries()) {
      if (!hasTime()) break
      const mutant = toSandboxScript(before.slice(0, start) + text + before.slice(end), language)
      const answer = mutant === null ? null : await ask({ mutant })
      noticed[index] = answer !== null && 'isNoticed' in answer && answer.isNoticed
    }
  } catch (error) {
    if (!(error instanceof OutOfTimeError)) throw error
  }
  return { functions, noticed, cpuMs: cpuMs() }
}
