import type { Language, Proof } from '@filewright/contracts'
import type { ProofKind } from '@filewright/analysis/results'
import { OutOfWorkError } from '../run/program-types.js'
import type { Case } from './case.js'
import { entriesNear, everyEntry } from './entries.js'
import type { Mode } from './outside.js'
import { isFaultKind, proveFault } from './faults.js'
import { isLoadError, loadCode, type Run } from './machine.js'
import { markLine, toModule } from './module-text.js'
import { proveInjection } from './injection.js'
import { findTypeErrors } from './type-errors.js'
import { findInRequests } from './requests.js'
import { findFaults, type FoundFault } from './find-faults.js'
import { suspectsIn, type Suspect } from './suspects.js'
import { parseScript } from '../run/targets.js'
import type { Entry } from './trace.js'
import { computedWrites, findPollution, provePollution } from './pollution.js'
import { proveSlowPattern } from './slow-pattern.js'

export interface ProveInput {
  code: string
  language: Language
  findings: ReadonlyArray<{ kind: ProofKind; line: number }>
  /** Whether to look for faults at other lines, too. Only those that happen are returned. */
  findsFaults?: boolean
  /** Lines at which a comment accepts what could be found. */
  accepted?: readonly number[]
}

/** The limit for all findings of a snippet: less than 0.2 s of an idle core. */
const MAX_WORK = 60_000_000
/** Larger code is rarely a snippet that loads alone. */
const MAX_CODE_CHARS = 65_536
const MAX_FINDINGS = 8
/** The part of the limit for each search for faults that no finding is about. A call that does not end takes most. */
const MAX_FAULT_WORK = 30_000_000
const MAX_SEARCH_WORK = 16_000_000
/** Of each search. */
const MAX_FAULTS = 3

export interface Proofs {
  /** One for each finding; null if it did not occur. */
  proofs: Array<Proof | null>
  /** What happened without a finding. */
  faults: FoundFault[]
}

/**
 * Tries to reproduce each finding in a sandbox, and then looks for faults that no finding is about. Null if the
 * code does not load. The limits count work, so the result does not depend on the machine.
 */
export async function proveFindings({
  code,
  language,
  findings,
  findsFaults = false,
  accepted = []
}: ProveInput): Promise<Proofs | null> {
  if (code.length > MAX_CODE_CHARS) return null
  const taken = new Set([...accepted, ...findings.map(({ line }) => line)])
  const proofs: Array<Proof | null> = findings.map(() => null)
  const faults: FoundFault[] = []
  const searched = findsFaults ? searchedIn(code, language) : null
  if (findings.length === 0 && searched === null) return { proofs, faults }
  const module = toModule(code, language)
  if (module === null) return null
  const budget = { left: MAX_WORK }
  try {
    const loaded = await loadCode(module, budget)
    if (loaded === null) return null
    const every = await everyEntry(loaded, module)
    const caseOf = casesOf({ code, language, module, loaded, every })
    const loadedCode = { code, language, module, loaded }
    for (const [index, { kind, line }] of findings.entries()) {
      if (index >= MAX_FINDINGS) break
      proofs[index] = onOneLine(await proveOne(kind, caseOf(line)))
    }
    if (searched === null) return { proofs, faults }
    const entries = every.slice(0, MAX_FINDINGS)
    const { writes, hasTypes, mayBeInjected } = searched
    const suspects = searched.suspects.filter(({ line }) => !taken.has(line))
    const searches = [
      { maxWork: MAX_FAULT_WORK, search: () => findFaults(suspects, entries, loadedCode, caseOf) },
      { maxWork: MAX_SEARCH_WORK, search: () => findTypeErrors(hasTypes ? entries : [], loadedCode, caseOf) },
      { maxWork: MAX_SEARCH_WORK, search: () => findPollution(writes, entries, loadedCode, caseOf) },
      {
        maxWork: MAX_SEARCH_WORK,
        search: () => findInRequests(mayBeInjected ? entries : [], loadedCode, caseOf)
      }
    ]
    const proven = new Set<string>(
      findings.flatMap(({ kind }, index) => (proofs[index] === null ? [] : [kind]))
    )
    for (const { maxWork, search } of searches) {
      const { left } = budget
      const granted = Math.min(left, maxWork)
      budget.left = granted
      faults.push(...(await found(search, taken)).filter(({ kind }) => !proven.has(kind)))
      budget.left = left - (granted - budget.left)
    }
  } catch (error) {
    if (!(error instanceof OutOfWorkError) && !isLoadError(error)) throw error
  }
  return { proofs, faults }
}

/** What a search finds within its work, at lines that nothing else is about. */
async function found(search: () => AsyncGenerator<FoundFault>, taken: Set<number>): Promise<FoundFault[]> {
  const faults: FoundFault[] = []
  try {
    for await (const fault of search()) {
      if (taken.has(fault.line)) continue
      taken.add(fault.line)
      faults.push({ ...fault, proof: onOneLine(fault.proof) })
      if (faults.length >= MAX_FAULTS) break
    }
  } catch (error) {
    if (!(error instanceof OutOfWorkError)) throw error
  }
  return faults
}

interface Searched {
  suspects: Suspect[]
  writes: number[]
  hasTypes: boolean
  mayBeInjected: boolean
}

/** What a search could find by the form of the code alone. Null if that is nothing, so that the code need not be run. */
function searchedIn(code: string, language: Language): Searched | null {
  try {
    const source = parseScript(code, language)
    const searched = {
      suspects: suspectsIn(source),
      writes: computedWrites(source),
      hasTypes: /^t/.test(language) || /@(?:param|type)\b/.test(code),
      mayBeInjected:
        /[({,]\s*_?(?:req|request|ctx|context|event)\s*[,):}]|\b(?:req|request|ctx|context|event)\s*=>/.test(
          code
        ) || /\.(?:query|execute|unsafe|raw)\b|\bchild_process\b/.test(code)
    }
    const { suspects, writes, hasTypes, mayBeInjected } = searched
    return suspects.length > 0 || writes.length > 0 || hasTypes || mayBeInjected ? searched : null
  } catch (error) {
    // Code that is nested too deeply for the stack.
    if (error instanceof RangeError) return null
    throw error
  }
}

type Known = Pick<Case, 'code' | 'language' | 'module' | 'loaded'> & { every: readonly Entry[] }

/** Each line is marked once: that parses the code, and its work is not metered. */
function casesOf({ code, language, module, loaded, every }: Known): (line: number) => Case {
  const known = new Map<number, Pick<Case, 'entries' | 'marked'>>()
  return (line) => {
    const { entries, marked } = known.get(line) ?? {
      entries: entriesNear(every, code, line, module),
      marked: markLine(module, code, language, line)
    }
    known.set(line, { entries, marked })
    return caseWith({ code, language, line, module, loaded, entries, marked })
  }
}

function caseWith(given: Omit<Case, 'runMarked' | 'confirm'>): Case {
  const { loaded, marked } = given
  const inMarked = marked === null ? null : loaded.withText(marked)
  const confirm: Case['confirm'] = async <T>(
    call: string,
    shows: (run: Run) => T | null,
    modes: readonly Mode[] = ['usual', 'doubtful']
  ): Promise<T | null> => {
    let shown: T | null = null
    for (const each of modes) {
      const run = marked === null ? null : await loaded.runAlone(call, marked, each)
      if (run?.isReached !== true) return null
      const now = shows(run)
      if (now === null) return null
      shown ??= now
    }
    return shown
  }
  const runMarked: Case['runMarked'] = async (call, mode) =>
    (await inMarked?.run(call, undefined, mode)) ?? null
  return { ...given, runMarked, confirm }
}

async function proveOne(kind: ProofKind, given: Case): Promise<Proof | null> {
  if (kind === 'pollution') return await provePollution(given)
  if (kind === 'redos') return await proveSlowPattern(given)
  if (isFaultKind(kind)) return await proveFault(kind, given)
  return await proveInjection(kind, given)
}

/**
 * The code chooses the names of functions and modules: they must not contain control characters or line
 * breaks.
 */
function onOneLine<P extends Proof | null>(proof: P): P {
  if (proof === null) return proof
  const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?')
  return { ...proof, input: plain(proof.input), observed: plain(proof.observed) }
}
