import ts from 'typescript'
import { lineOf, type Case } from '../case.js'
import type { FoundFault } from '../find-faults.js'
import type { LoadedCode, Run } from '../machine.js'
import { writtenAt } from '../module-text.js'
import { reproducerOf, type Check } from '../reproducer.js'
import type { Entry } from '../trace.js'
import { shownOf, textOf, type Attempt, type Step } from './attempts.js'
import type { Explored } from './explore.js'

const MAX_CALL_WORK = 1_000_000
const MAX_BASES = 24
const MAX_SLOTS = 8
const MAX_ROOTS = 3
const WORD = 'injected'
const NEXT = 'injected2'

/** What an input may break: a text between quotes, markup, a line of a header. */
type Context = 'quote' | 'markup' | 'line'

/** An input with what would end its place in the text. */
interface Payload {
  context: Context
  value: string
  /** Whether what stands between the two words in the result ends the place. */
  isRaw: (between: string) => boolean
}

const isOwnMarkup = /html|raw|markup|content|body|children|inner|template|svg|code|css|style|script|format/i

/** What could break out of a text, by what stands around a harmless word in it. */
function payloadsFor(text: string): Payload[] {
  const found: Payload[] = []
  const at = text.indexOf(WORD)
  const [before, after] = [text.slice(0, at), text.slice(at + WORD.length)]
  const quote = /(["'`])[\w.:/ ^-]*$/.exec(before)?.[1]
  const isClosed = quote !== undefined && new RegExp(`^[\\w.:/ ^-]*${quote}`).test(after)
  const attribute = /<[a-z][^<>]*=\s*(["'])[^"'<>]*$/i.exec(before)?.[1]
  if (attribute !== undefined) {
    const value = `${WORD}${attribute}><${NEXT}`
    found.push({ context: 'markup', value, isRaw: (between) => between.startsWith(attribute) })
  } else if (/<[a-z!/][^<>]*>[^<>]*$/i.test(before)) {
    found.push({ context: 'markup', value: `${WORD}<${NEXT}`, isRaw: (between) => between.includes('<') })
  } else if (isClosed) {
    const value = `${WORD}${quote}${NEXT}${quote}${NEXT}`
    found.push({ context: 'quote', value, isRaw: (between) => between.replaceAll('^', '') === quote })
  }
  if (/[\w-]+[=:]/.test(before) && !/[<\n]/.test(text)) {
    const value = `${WORD}\r\n${NEXT}: 1`
    found.push({ context: 'line', value, isRaw: (between) => between === '\r\n' })
  }
  return found
}

/** What stands between each two words. */
const betweens = (text: string): string[] =>
  [...text.matchAll(/injected2?([^]{0,40}?)(?=injected2)/g)].map((match) => match[1]!)

interface Slot {
  /** The number of the call, the first one included. */
  step: number
  start: number
  end: number
  /** The name of the parameter or of the property. */
  name: string
}

const stepsOf = ({ root, steps }: Attempt): Step[] => [...(root === null ? [] : [root]), ...steps]

/** The strings that a call passes, but for names of stand-ins and of properties. */
function slotsIn({ args, entry }: Step, step: number): Slot[] {
  const before = 'f('
  const source = ts.createSourceFile('call.js', `${before}${args})`, ts.ScriptTarget.Latest, true)
  const params = (/^[^(]{0,80}\(([^)]{0,200})\)/.exec(entry.source)?.[1] ?? '').split(',')
  const found: Slot[] = []
  const visit = (node: ts.Node, name: string): void => {
    if (ts.isCallExpression(node) && node.expression.getText(source) === 'standIn') return
    if (ts.isStringLiteral(node)) {
      const [start, end] = [node.getStart(source) - before.length, node.end - before.length]
      found.push({ step, start, end, name })
    } else if (ts.isPropertyAssignment(node)) visit(node.initializer, node.name.getText(source))
    else ts.forEachChild(node, (child) => visit(child, name))
  }
  const [statement] = source.statements
  if (statement === undefined || !ts.isExpressionStatement(statement)) return []
  if (!ts.isCallExpression(statement.expression)) return []
  statement.expression.arguments.forEach((each, index) =>
    visit(each, (params[index] ?? '').trim().replace(/\W.*/s, ''))
  )
  return found
}

/** The same calls with other strings in some slots. */
function withValues(attempt: Attempt, values: ReadonlyArray<readonly [Slot, string]>): Attempt {
  const all = stepsOf(attempt).map((each, step) => {
    const own = values.filter(([slot]) => slot.step === step).sort(([a], [b]) => b.start - a.start)
    const args = own.reduce(
      (text, [{ start, end }, value]) => text.slice(0, start) + JSON.stringify(value) + text.slice(end),
      each.args
    )
    return { ...each, args }
  })
  return attempt.root === null
    ? { ...attempt, steps: all }
    : { ...attempt, root: all[0]!, steps: all.slice(1) }
}

/** Strings that a run gives to others: its result, and what it passes to the outside. */
const outputsOf = ({ watch, calls }: Run): Array<{ text: string; path: string | null }> => [
  ...(watch?.texts ?? []).map((text) => ({ text, path: null })),
  ...calls.flatMap(({ path, args }) =>
    args.flatMap((each) => (typeof each === 'string' ? [{ text: each, path }] : []))
  )
]

interface Raw {
  entry: Entry
  key: string
  kind: 'unescaped' | 'outside'
  attempt: Attempt
  check: Check
  effect: string
  line: number | null
}

/**
 * Finds values that become part of a text as they are, where the same function escapes or refuses others: that
 * shows that it means to.
 */
export async function* findUnescaped(
  entries: readonly Entry[],
  loaded: LoadedCode,
  { reading, realm, corpus }: Explored,
  caseOf: (line: number) => Case
): AsyncGenerator<FoundFault> {
  const { code, language, module, watched } = reading
  const treated = new Set<string>()
  const raws: Raw[] = []
  const run = async (attempt: Attempt): Promise<Run | null> =>
    await realm.run(textOf(attempt, true), MAX_CALL_WORK)
  const lineAt = ({ watch }: Run): number | null => {
    const start = watch?.joined == null ? undefined : watched.starts[watch.joined]
    return start === undefined ? null : writtenAt(module, code, language, start)
  }
  const isRefused = ({ threw, watch }: Run): boolean => threw !== '' && watch?.isDeliberate === true

  for (const { attempt } of corpus.filter(({ attempt }) => attempt.mode === 'usual').slice(0, MAX_BASES)) {
    const { entry } = attempt.steps.at(-1) ?? attempt.root!
    if (!entries.includes(entry) || attempt.steps.some(({ entry: { isHandler } }) => isHandler)) continue
    const slots = stepsOf(attempt).flatMap(slotsIn).slice(0, MAX_SLOTS)
    for (const slot of slots) {
      const harmless = await run(withValues(attempt, [[slot, WORD]]))
      if (harmless === null) break
      if (harmless.threw === '') {
        const contexts = new Map<string, Payload>()
        for (const { text } of outputsOf(harmless)) {
          if (!text.includes(WORD)) continue
          for (const each of payloadsFor(text)) contexts.set(each.value, each)
        }
        for (const payload of contexts.values()) await tryPayload(payload, slot, attempt, entry)
      }
      await tryPaths(slot, slots, attempt, entry)
    }
  }
  const done = new Set<string>()
  for (const raw of raws) {
    const { entry, key, line, check, effect, kind } = raw
    if (!treated.has(key) || line === null || done.has(key)) continue
    const again = await loaded.withText(watched.text).run(textOf(raw.attempt, true), MAX_CALL_WORK, 'strict')
    if (again === null || again.threw !== '') continue
    done.add(key)
    yield {
      kind,
      line,
      proof: {
        input: shownOf(raw.attempt),
        observed: effect,
        reproducer: reproducerOf(module, textOf(raw.attempt), check, effect),
        entry_line: lineOf(entry, caseOf(line))
      }
    }
  }

  async function tryPayload(
    { context, value, isRaw }: Payload,
    slot: Slot,
    attempt: Attempt,
    entry: Entry
  ): Promise<void> {
    const changed = withValues(attempt, [[slot, value]])
    const result = await run(changed)
    if (result === null) return
    const key = `${(attempt.root?.entry ?? entry).access} ${context}`
    if (isRefused(result)) treated.add(key)
    for (const { text, path } of outputsOf(result)) {
      const parts = betweens(text)
      // Nobody else escapes what is in a whole page.
      if (parts.some((each) => !isRaw(each)) || /<!doctype|<html/i.test(text)) treated.add(key)
      const part = parts.find(isRaw)
      // What the caller passes as markup or a format is meant to be it.
      if (part === undefined || text.startsWith(WORD) || isOwnMarkup.test(slot.name)) continue
      const shown = textAround(text, part)
      const check: Check = path === null ? { kind: 'text', text: shown } : { kind: 'call', path, text }
      const effect = `the result contains ${JSON.stringify(shown)}`
      raws.push({ entry, key, kind: 'unescaped', attempt: changed, check, effect, line: lineAt(result) })
    }
  }

  /** A folder beside the allowed one, whose name begins like it. */
  async function tryPaths(slot: Slot, slots: readonly Slot[], attempt: Attempt, entry: Entry): Promise<void> {
    if (!/\.(?:startsWith|indexOf)\(/.test(module.js)) return
    for (const root of slots.slice(0, MAX_ROOTS)) {
      if (root === slot || !/dir|root|folder|base|path|^$/i.test(root.name)) continue
      for (const start of ['', '/r/']) {
        const at = (value: string): Attempt =>
          withValues(attempt, [
            [root, '/r'],
            [slot, start + value]
          ])
        const near = await run(at(`../r-${NEXT}/x`))
        if (near === null || near.threw !== '') continue
        const inside = await run(at(WORD))
        const far = await run(at(`../../etc/${WORD}`))
        if (inside === null || far === null || inside.threw !== '') continue
        const leaves = outputsOf(far).some(({ text }) => text.startsWith('/etc/'))
        const hasOutput = outputsOf(inside).some(({ text }) => text === `/r/${WORD}`)
        const nearby = outputsOf(near).find(({ text }) => text.startsWith(`/r-${NEXT}/`))
        if (hasOutput ? nearby === undefined || leaves : !isRefused(far)) continue
        const key = `${entry.access} path`
        treated.add(key)
        const effect = 'a path in another folder passes'
        const check: Check = nearby === undefined ? { kind: 'passes' } : { kind: 'text', text: nearby.text }
        const line = lineAt(near) ?? lineOf(entry, caseOf(1))
        raws.push({ entry, key, kind: 'outside', attempt: at(`../r-${NEXT}/x`), check, effect, line })
        return
      }
    }
  }
}

const textAround = (text: string, part: string): string => {
  const at = text.indexOf(`${part}${NEXT}`)
  return text.slice(Math.max(0, at - WORD.length), at + part.length + NEXT.length)
}
