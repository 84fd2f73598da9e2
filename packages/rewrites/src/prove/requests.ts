import { callOf } from './calls.js'
import type { Case } from './case.js'
import type { Entry } from './trace.js'
import { WORD } from './escapes.js'
import { breakOuts, proveBreakOut } from './injection.js'
import type { FoundFault } from './find-faults.js'

type RequestKind = 'shell' | 'sql' | 'path' | 'address' | 'redirect' | 'markup'

/** Lines that may make a dangerous call, by the names in them. */
const lineOfKind: ReadonlyArray<readonly [RequestKind, RegExp]> = [
  ['shell', /\b(?:exec|spawn)\w*|\bexeca\b/],
  ['sql', /\.(?:query|execute|exec|raw|run|all|get|each|prepare|\$\w+)\b/],
  ['path', /\b(?:read|write|append|open|create|unlink|rm|stat|copy)\w*\(|\bsendFile\b/i],
  ['address', /\b(?:fetch|axios|request|got|get|post|needle|superagent)\b/],
  ['redirect', /\bredirect\(|\bwriteHead\b|\blocation\b/i],
  ['markup', /\.(?:send|end|write|html|body)\b/]
]
/** Whether the code puts the input between quotes, from which it is not to get out. */
const isQuoted = (usual: string): boolean =>
  new RegExp(`(["'\`])[\\w.%:/-]*${WORD}[\\w.%:/-]*\\1`).test(usual)
/** Whether a caller chooses only a part of the text: the beginning of a command is what the function is for. */
const isWithin = (kind: RequestKind, usual: string): boolean =>
  kind === 'sql' ? isQuoted(usual) : !usual.startsWith(WORD)
const isComment = /^\s*(?:\*|\/[*/])/
const MAX_LINES = 12
/** Inputs of each kind for an entry that are looked for on the lines. */
const MAX_TRIED = 4

/**
 * Finds what a client's request can do although no rule reports it, at the line that lets it; and what any caller can
 * do who gets out of the quotes of a statement.
 */
export async function* findInRequests(
  entries: readonly Entry[],
  { code, module, loaded }: Pick<Case, 'code' | 'module' | 'loaded'>,
  caseOf: (line: number) => Case
): AsyncGenerator<FoundFault> {
  const texts = code.split('\n')
  const done = new Set<RequestKind>()
  for (const entry of entries) {
    const call = callOf(entry, module)
    const isOfClients = call.places.some(({ isClients }) => isClients)
    for (const [kind, names] of lineOfKind) {
      if (!isOfClients && kind !== 'sql' && kind !== 'shell') continue
      const lines = texts
        .flatMap((text, index) => (names.test(text) && !isComment.test(text) ? [index + 1] : []))
        .slice(0, MAX_LINES)
      if (lines.length === 0 || done.has(kind)) continue
      let tried = 0
      for await (const found of breakOuts(kind, call, {
        code,
        run: loaded.run,
        isClientsOnly: isOfClients
      })) {
        if (!isOfClients && !isWithin(kind, found.attempt.usual)) continue
        if (++tried > MAX_TRIED) break
        const fault = await firstProven(
          lines,
          async (line) => await proveBreakOut(found, entry, caseOf(line))
        )
        if (fault === null) continue
        done.add(kind)
        yield { kind, ...fault }
        break
      }
    }
  }
}

async function firstProven(
  lines: readonly number[],
  prove: (line: number) => Promise<FoundFault['proof'] | null>
): Promise<Omit<FoundFault, 'kind'> | null> {
  for (const line of lines) {
    const proof = await prove(line)
    if (proof !== null) return { line, proof }
  }
  return null
}
