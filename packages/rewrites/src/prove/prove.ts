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
import { provePollution } from './pollution.js'
import { proveSlowPattern } from './slow-pattern.js'

export interface ProveInput {
  code: string
  language: Language
  findings: ReadonlyArray<{ kind: ProofKind; line: number }>
}

/** The limit for all findings of a snippet: less than 0.2 s of an idle core. */
const MAX_WORK = 60_000_000
/** Larger code is rarely a snippet that loads alone. */
const MAX_CODE_CHARS = 65_536
const MAX_FINDINGS = 8

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
    const every = await everyEntry(loaded, module)
    for (const [index, { kind, line }] of findings.entries()) {
      if (index >= MAX_FINDINGS) break
      const entries = entriesNear(every, code, line, module)
      const marked = markLine(module, code, language, line)
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
      proofs[index] = onOneLine(
        await proveOne(kind, { code, language, line, module, loaded, marked, entries, confirm })
      )
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
  if (isFaultKind(kind)) return await proveFault(kind, given)
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
