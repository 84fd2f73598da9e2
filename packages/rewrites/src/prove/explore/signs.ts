import type { FoundKind } from '@filewright/analysis/results'
import type { Attempt } from './attempts.js'
import type { Run } from '../machine.js'
import { thrownAt, type ModuleText, writtenAt } from '../module-text.js'
import type { Check } from '../reproducer.js'
import type { Language } from '@filewright/contracts'
import { receiversOf, type Beliefs } from './beliefs.js'
import type { WatchedText } from './watched-text.js'

/** What a run shows, and where. */
export interface Sign {
  kind: FoundKind
  line: number
  check: Check
  effect: string
}

export interface Reading {
  code: string
  language: Language
  module: ModuleText
  watched: WatchedText
  beliefs: Beliefs
}

const missing = /(?:read|set) property '(.+)' of (?:undefined|null)$/

/** What a client need not send. */
const header = /\.headers(?:\[\]|\.get\(\))$/

/** The line of the module's own JavaScript in a stack of QuickJS. */
const lineIn = (stack: string): number => Number(/<input>:(\d+):/.exec(stack)?.[1] ?? 1) - 1

/** The faults that a run shows, without those that only a misuse causes. */
export function signsOf(run: Run, { mode, isDeclared }: Attempt, reading: Reading): Sign[] {
  const { code, language, module, watched, beliefs } = reading
  const { watch } = run
  if (watch === null) return []
  const found: Sign[] = []
  const at = (probe: number): number | null => {
    const start = watched.starts[probe]
    return start === undefined ? null : writtenAt(module, code, language, start)
  }
  const add = (kind: FoundKind, line: number | null, check: Check, effect: string): void => {
    if (line !== null) found.push({ kind, line, check, effect })
  }

  /** From where the value comes that is missing. */
  function originsOf(threw: string, stack: string): Array<string | null> {
    const property = missing.exec(threw)?.[1]
    if (property === undefined) return []
    return receiversOf(module.source, lineIn(stack), property).map((each) => beliefs.keyOf(each))
  }

  if (run.stack !== '' && !watch.isDeliberate) {
    const line = thrownAt(run, module, code, language)
    const origins = originsOf(run.threw, run.stack)
    const every = (isSo: (key: string) => boolean): boolean =>
      origins.length > 0 && origins.every((key) => key !== null && isSo(key))
    const [past] = watch.pastEnd
    if (/stack overflow|call stack size/.test(run.threw)) {
      add('recursion', line, { kind: 'overflow' }, 'the calls do not end')
    } else if (run.threw.startsWith('TypeError') && past !== undefined && at(past) === line) {
      add('index', at(past), { kind: 'throws' }, 'it reads the element behind the last one')
    } else if (
      isDeclared === true &&
      missing.test(run.threw) &&
      (!run.usesOutside || every((key) => header.test(key)))
    ) {
      add('type', line, { kind: 'throws' }, 'it throws a TypeError')
    } else if (!run.usesOutside && every(beliefs.mayBeMissing)) {
      add('missing', line, { kind: 'throws' }, 'it throws a TypeError')
    }
  }
  const { crash } = watch
  if (crash !== null && mode.includes('failing') && missing.test(crash.threw)) {
    const line = thrownAt(crash, module, code, language)
    add('crash', line, { kind: 'crash' }, 'the callback throws a TypeError')
  }
  for (const probe of watch.rejected) {
    add('rejection', at(probe), { kind: 'rejection' }, 'a rejection that nothing handles')
  }
  for (const probe of watch.removed) {
    add('removed', at(probe), { kind: 'removed' }, 'the last element is removed')
  }
  if (watch.endless !== null && !run.usesOutside) {
    add('endless', at(watch.endless), { kind: 'endless' }, 'the loop does not end')
  }
  return found
}
