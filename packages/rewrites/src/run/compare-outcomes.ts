import type { Outcome } from './plan.js'

const MAX_SHOWN = 120

const short = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

const nameOf = (call: string): string => call.slice(0, call.indexOf('('))

function byName(calls: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const call of calls) found.set(nameOf(call), [...(found.get(nameOf(call)) ?? []), call])
  return found
}

/**
 * Whether calls that ran sequentially now run concurrently. Each function gets the same arguments, in the
 * same order. If one fails, those after it have already started.
 */
function runsAtOnce(before: Outcome, after: Outcome): boolean {
  if (before.awaited.length < 1) return false
  const hasFailed = before.end.startsWith('rejects')
  const now = byName(after.calls)
  const old = byName(before.calls)
  const isKept = [...old].every(([name, calls]) =>
    calls.every((call, index) => now.get(name)?.[index] === call)
  )
  return (
    isKept &&
    (hasFailed ||
      (after.calls.length === before.calls.length && before.awaited.join('\n') === after.awaited.join('\n')))
  )
}

/** Describes the first difference between two outcomes; null if they are equal. */
export function sameOutcome(before: Outcome, after: Outcome, mayRunAtOnce = true): string | null {
  if (before.end !== after.end) return `it ${short(after.end)} instead of: ${short(before.end)}`
  if (before.args !== after.args) {
    return `its arguments become ${short(after.args)} instead of ${short(before.args)}`
  }
  if (before.again !== after.again) {
    return 'a second call does something else after the caller has changed the first result'
  }
  const sameCalls =
    before.calls.length === after.calls.length &&
    before.calls.every((call, index) => call === after.calls[index])
  const sameAwaited = before.awaited.join('\n') === after.awaited.join('\n')
  if (sameCalls && sameAwaited) return null
  if (mayRunAtOnce && runsAtOnce(before, after)) return null
  const index = before.calls.findIndex((call, at) => call !== after.calls[at])
  if (sameCalls || (index < 0 && after.calls.length === before.calls.length)) {
    return 'it waits for other calls'
  }
  const at = index < 0 ? before.calls.length : index
  return `it calls ${short(after.calls[at] ?? 'nothing')} instead of ${short(before.calls[at] ?? 'nothing')}`
}
