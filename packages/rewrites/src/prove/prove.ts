import type { Language, Proof } from '@filewright/contracts'
import type { ProofKind } from '@filewright/analysis/results'
import { OutOfWorkError } from '../run/program-types.js'
import type { Case } from './case.js'
import type { Entry } from './driver.js'
import { isLoadError, loadCode, type Run } from './machine.js'
import { markLine, toModule } from './module-text.js'
import { proveInjection } from './injection.js'
import { provePollution } from './pollution.js'
import { proveSlowPattern } from './slow-pattern.js'

export interface ProveInput {
  code: string
  language: Language
  findings: ReadonlyArray<{ kind: ProofKind; line: number }>
}

/** The limit for all findings of a snippet: less than 0.1 s of an idle core. */
const MAX_WORK = 30_000_000
/** Larger code is rarely a snippet that loads alone. */
const MAX_CODE_CHARS = 65_536
const MAX_FINDINGS = 8
const MAX_ENTRIES = 8

/**
 * Tries to reproduce each finding in a sandbox. Null for each finding that did not occur. Null for all if the
 * code does not load. The limits count work, so the result does not depend on the machine.
 */
export async function proveFindings({
  code,
  language,
  findings
}: ProveInput): Promise<Array<Proof | null> | null> {
  const module = code.length > MAX_CODE_CHARS ? null : toModule(code, language)
  if (module === null) return null
  const budget = { left: MAX_WORK }
  const proofs: Array<Proof | null> = findings.map(() => null)
  try {
    const loaded = await loadCode(module, budget)
    if (loaded === null) return null
    for (const [index, { kind, line }] of findings.entries()) {
      if (index >= MAX_FINDINGS) break
      const entries = entriesAround(loaded.entries, code, line).slice(0, MAX_ENTRIES)
      const marked = markLine(module, code, language, line)
      const confirm = async <T>(call: string, shows: (run: Run) => T | null): Promise<T | null> => {
        let shown: T | null = null
        for (const isDoubtful of [false, true]) {
          const run = marked === null ? null : await loaded.runAlone(call, marked, isDoubtful)
          if (run?.isReached !== true) return null
          const now = shows(run)
          if (now === null) return null
          shown ??= now
        }
        return shown
      }
      proofs[index] = onOneLine(await proveOne(kind, { code, line, module, loaded, entries, confirm }))
    }
    return proofs
  } catch (error) {
    if (!(error instanceof OutOfWorkError) && !isLoadError(error)) throw error
    return proofs
  }
}

async function proveOne(kind: ProofKind, given: Case): Promise<Proof | null> {
  if (kind === 'pollution') return await provePollution(given)
  if (kind === 'redos') return await proveSlowPattern(given)
  return await proveInjection(kind, given)
}

/**
 * The code chooses the names of functions and modules: they must not contain control characters or line
 * breaks.
 */
function onOneLine(proof: Proof | null): Proof | null {
  if (proof === null) return null
  const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?')
  return { ...proof, input: plain(proof.input), observed: plain(proof.observed) }
}

/** Entries whose text contains the line come first. */
function entriesAround(entries: readonly Entry[], code: string, line: number): Entry[] {
  const text = (code.split('\n')[line - 1] ?? '').trim()
  const isAround = ({ source }: Entry): boolean => text !== '' && source.includes(text)
  return [...entries.filter(isAround), ...entries.filter((entry) => !isAround(entry))]
}
