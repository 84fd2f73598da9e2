import type { Language } from '@filewright/contracts'
import {
  analyze,
  isOneOf,
  provableLanguages,
  scriptLanguages,
  sqlLanguages,
  kindOf,
  named,
  type TreeNode,
  type Finding,
  grammarOf,
  type Grammar,
  unknownNames,
  wordsIn,
  sameTokens,
  tokensOf,
  unitsOf,
  type Unit
} from '@filewright/analysis/parsing'
import { gainsOf, measuresOf, type Measures } from './gains.js'
import { itemsOf, type Item } from './items.js'
import { lossesOf, type Loss } from './losses.js'
import { findStranger, findUnseen, patchesBuiltIns } from './strangers.js'
import { asksTheSame } from './sql-meaning.js'
import { isWrittenOut } from './written-out.js'

export interface RewriteInput {
  before: string
  after: string
  language: Language
}

/** A unit that a rewrite changes, and what speaks for and against taking it. */
export interface UnitChange {
  name: string
  /** The unit at the top that holds it; itself in most cases. */
  top: string
  /** By what it is shown to do the same: a run beside the original, or an equal parse tree. */
  proof: 'run' | 'tree'
  /** Why it cannot be taken, whatever else. */
  refusal: string | null
  losses: Loss[]
  gains: string[]
}

/** The parts of both versions, side by side. */
export interface Sides {
  old: Unit[]
  fresh: Unit[]
  /** Pairs of changed units; a class whose frame changed is one unit with all it holds. */
  changed: Array<[Unit, Unit]>
  /** Units that only the rewrite has. */
  added: Unit[]
}

export function sidesOf({ before, after, language }: RewriteInput): Sides | null {
  const [old, fresh] = [unitsOf(before, language), unitsOf(after, language)]
  if (old === null || fresh === null) return null
  const find = (list: readonly Unit[], name: string): Unit | undefined =>
    list.find((unit) => unit.name === name)
  const whole = new Set(
    old
      .filter((unit) => unit.shell !== null && !sameTokens(unit.shell, find(fresh, unit.name)?.shell ?? []))
      .map(({ name }) => name)
  )
  const changed = old.flatMap((unit): Array<[Unit, Unit]> => {
    const other = find(fresh, unit.name)
    if (
      other === undefined ||
      (unit.owner !== null && whole.has(unit.owner)) ||
      (unit.shell !== null && !whole.has(unit.name))
    ) {
      return []
    }
    return sameTokens(tokensOf(unit.node), tokensOf(other.node)) ? [] : [[unit, other]]
  })
  const added = fresh.filter(
    (unit) =>
      find(old, unit.name) === undefined &&
      !(unit.owner !== null && (whole.has(unit.owner) || find(old, unit.owner) === undefined))
  )
  return { old, fresh, changed, added }
}

/** The word by which others speak of a unit. */
export function wordOf({ name }: Unit): string {
  return /([\w$]+)(?:\(.*\))?(?: #\d+)?$/.exec(name)?.[1] ?? name
}

/** The units that a text needs of these, and those that they need. */
export function neededBy(text: string, added: readonly Unit[]): Unit[] {
  const needed = new Set<Unit>()
  const texts = [text]
  for (let current = texts.pop(); current !== undefined; current = texts.pop()) {
    const words = wordsIn(current)
    for (const unit of added) {
      const names = unit.isImport
        ? importedBy(unit)
        : unit.name.split(', ').length > 1
          ? unit.name.split(', ')
          : [wordOf(unit)]
      if (needed.has(unit) || !names.some((name) => words.has(name))) continue
      needed.add(unit)
      if (!unit.isImport) texts.push(unit.text)
    }
  }
  return [...needed]
}

function importedBy(unit: Unit): string[] {
  return [...wordsIn(unit.text.replace(/["'][^"']*["']/g, ''))].filter(
    (word) => !/^(?:import|from|as|type|use|require|const)$/.test(word)
  )
}

/** Of the standard library, without effects: what they give can be taken on trust. */
const pureImports =
  /^(?:from|import)\s+(?:collections|itertools|functools|operator|math|re|heapq|bisect|string|typing|dataclasses|contextlib|statistics)\b/

const callable =
  /^(?:function_declaration|generator_function_declaration|function_expression|function|arrow_function|method_definition|function_definition|method_declaration|constructor_declaration|function_item)$/

function functionIn(unit: Unit): TreeNode | null {
  for (let node: TreeNode | null = unit.node; node !== null; ) {
    if (callable.test(kindOf(node))) return node
    const next: TreeNode | null =
      node.field('declaration') ??
      node.field('definition') ??
      node.field('value') ??
      node.field('right') ??
      (/^(?:lexical|variable)_declaration$|^expression_statement$|^variable_declarator$|^assignment/.test(
        kindOf(node)
      )
        ? (named(node)[0] ?? null)
        : null)
    node = next
  }
  return null
}

interface Head {
  /** Waiting, yielding, the type of the result. */
  kind: string
  params: string
  /** Of a script, where running shows what a default does: the parameters without their defaults. */
  names: Array<{ name: string; type: string }>
}

/** A script may get a default, or a rest parameter in place of `arguments`: the run tells what that changes. */
function isCalledAlike(unit: Unit, other: Unit, isScript: boolean): boolean {
  const [old, now] = [headOf(unit), headOf(other)]
  if (old === null || now === null) return old === now
  if (old.kind !== now.kind) return false
  if (old.params === now.params) return true
  if (!isScript) return false
  const rest = now.names.length === old.names.length + 1 && now.names.at(-1)!.name.startsWith('...')
  const names = rest ? now.names.slice(0, -1) : now.names
  return (
    names.length === old.names.length &&
    names.every(({ name, type }, index) => {
      const before = old.names[index]!
      return name === before.name && (type === '' || before.type === '' || type === before.type)
    })
  )
}

function headOf(unit: Unit): Head | null {
  const node = functionIn(unit)
  if (node === null) return null
  const body = node.field('body')
  const head =
    body === null ? node.text() : node.text().slice(0, body.range().start.index - node.range().start.index)
  const params = (node.field('parameters') ?? node.field('parameter'))?.text() ?? ''
  const result = (node.field('return_type') ?? node.field('result') ?? node.field('type'))?.text() ?? ''
  const isAsync = /\basync\b/.test(head.slice(0, head.indexOf(params.slice(0, 1) || '(') + 1))
  const isGenerator =
    /^(?:async )?function\s*\*|^\s*(?:async\s*)?\*/.test(head) ||
    kindOf(node) === 'generator_function_declaration'
  const bare = params
    .replace(/^\(|\)$/g, '')
    .replace(/\s+/g, '')
    .replace(/,$/, '')
  return {
    kind: `${isAsync ? 'async ' : ''}${isGenerator ? '* ' : ''}${result.replace(/\s+/g, '')}`,
    params: bare,
    names: named(node.field('parameters')).map((each) => ({
      name: (each.field('pattern') ?? each.field('left') ?? each).text().replace(/\s+/g, ''),
      type: (each.field('type')?.text() ?? '').replace(/\s+/g, '')
    }))
  }
}

/** Names of the functions in these units that call themselves. */
function recursiveIn(units: readonly Unit[]): string[] {
  const found: string[] = []
  const visit = (node: TreeNode, outer: string): void => {
    const own = node.field('name')?.text()
    const name = own ?? outer
    if (callable.test(kindOf(node)) && /^[\w$]+$/.test(name)) {
      const calls = new RegExp(
        `(?<![\\w$]|(?<!\\.\\.)\\.)(?:(?:self|this|cls)\\s*\\.\\s*)?${escaped(name)}\\s*\\(`
      )
      if (calls.test(node.field('body')?.text() ?? '')) found.push(name)
    }
    for (const child of named(node)) visit(child, own ?? '')
  }
  for (const unit of units) visit(unit.node, wordOf(unit))
  return found
}

const escaped = (name: string): string => name.replaceAll('$', '\\$')

const exportOf = ({ text }: Unit): string => /^export(?:\s+default)?\b/.exec(text)?.[0] ?? ''

function findingsIn(findings: readonly Finding[], units: readonly Unit[]): Map<string, number> {
  const counts = new Map<string, number>()
  const ranges = units.map(({ node }) => [node.range().start.line + 1, node.range().end.line + 1] as const)
  for (const { ruleId, line } of findings) {
    if (ranges.some(([first, last]) => line >= first && line <= last)) {
      counts.set(ruleId, (counts.get(ruleId) ?? 0) + 1)
    }
  }
  return counts
}

const sum = (list: readonly Measures[]): Measures =>
  list.reduce((all, each) => ({
    complexity: all.complexity + each.complexity - 1,
    nesting: Math.max(all.nesting, each.nesting),
    passes: all.passes + each.passes,
    loopWork: all.loopWork + each.loopWork,
    waits: all.waits + each.waits,
    tokens: all.tokens + each.tokens
  }))

/** The name of the one unit of SQL. */
export const WHOLE = ''

/** SQL is one unit. */
async function compareSql({ before, after, language }: RewriteInput): Promise<UnitChange[]> {
  const findings = {
    before: await analyze({ code: before, language }),
    after: await analyze({ code: after, language })
  }
  const counts = (list: readonly Finding[], ruleId: string): number =>
    list.filter((each) => each.ruleId === ruleId).length
  const worse = findings.after.find(
    ({ ruleId }) => counts(findings.after, ruleId) > counts(findings.before, ruleId)
  )
  const gone = new Set(
    findings.before
      .map(({ ruleId }) => ruleId)
      .filter((ruleId) => counts(findings.after, ruleId) < counts(findings.before, ruleId))
  )
  const length = (code: string): number => code.match(/\w+|[^\w\s]/g)?.length ?? 0
  return [
    {
      name: WHOLE,
      top: WHOLE,
      proof: 'tree',
      refusal: !isWrittenOut(before, after)
        ? 'it is not written out'
        : !(await asksTheSame(before, after))
          ? 'it asks something else'
          : worse === undefined
            ? null
            : `it adds a finding of ${worse.ruleId}`,
      losses: [],
      gains: [...gone, ...(length(after) < length(before) ? ['length'] : [])]
    }
  ]
}

/**
 * Judges a rewrite unit by unit. Null for code that no parser of ours can take apart, and in languages in which
 * no rewrite can be shown to do the same.
 */
export async function compareRewrite(input: RewriteInput): Promise<UnitChange[] | null> {
  const { before, after, language } = input
  if (!isOneOf(language, provableLanguages)) return null
  if (isOneOf(language, sqlLanguages)) return await compareSql(input)
  const grammar: Grammar | null = grammarOf(language)
  if (grammar === null) return null
  const sides = sidesOf(input)
  if (sides === null) return null
  const { old, changed, added } = sides
  const isScript = isOneOf(language, scriptLanguages)
  const isPatched = patchesBuiltIns(before) || patchesBuiltIns(after)
  const unknown = new Set(unknownNames(before, after, language))
  const findings = {
    before: await analyze({ code: before, language }),
    after: await analyze({ code: after, language })
  }
  const dropped = old.filter((unit) => !unit.isImport && !sides.fresh.some(({ name }) => name === unit.name))

  return changed.flatMap(([unit, other]): UnitChange[] => {
    if (unit.isImport) return []
    const needed = neededBy(other.text, added)
    const helpers = needed.filter(({ isImport }) => !isImport)
    // What it used to call and what is gone was written into it.
    const inlined = neededBy(unit.text, dropped).filter((each) => !wordsIn(other.text).has(wordOf(each)))
    const items = (list: readonly Unit[]): Item[] =>
      list.flatMap(({ node }) => itemsOf(node, grammar, language))
    const measures = {
      before: sum([unit, ...inlined].map(({ node }) => measuresOf(node, grammar))),
      after: sum([other, ...helpers].map(({ node }) => measuresOf(node, grammar)))
    }
    const [had, has] = [
      findingsIn(findings.before, [unit, ...inlined]),
      findingsIn(findings.after, [other, ...helpers])
    ]
    const worse = [...has].find(([ruleId, count]) => count > (had.get(ruleId) ?? 0))
    const gone = [...had]
      .filter(([ruleId, count]) => (has.get(ruleId) ?? 0) < count)
      .map(([ruleId]) => ruleId)
    const strange = [...wordsIn(other.text + helpers.map(({ text }) => text).join('\n'))].find((word) =>
      unknown.has(word)
    )
    const foreign = needed.find(
      (each) => each.isImport && !(language === 'python' && pureImports.test(each.text))
    )
    const own = new Set(helpers.map(wordOf))
    const texts = {
      before: [unit, ...inlined].map(({ text }) => text).join('\n'),
      after: [other, ...helpers].map(({ text }) => text).join('\n')
    }
    const stranger = findStranger(wordsIn(texts.before), wordsIn(texts.after), language)
    const unseen = isScript ? findUnseen(texts.before, texts.after) : null
    const methods = old.filter(({ owner }) => owner === unit.name)
    const recursing =
      recursiveIn([unit, ...inlined, ...methods]).length > 0 ? [] : recursiveIn([other, ...helpers])
    return [
      {
        name: unit.name,
        top: topOf(unit, old),
        proof: 'run',
        refusal:
          [
            !isWrittenOut(unit.text, other.text) && 'it is not written out',
            strange !== undefined && `it uses ${strange}, which nobody declares`,
            foreign !== undefined && `it needs ${foreign.name}`,
            !isCalledAlike(unit, other, isScript) && 'it is called in another way',
            exportOf(unit) !== exportOf(other) && 'it is exported in another way',
            worse !== undefined && `it adds a finding of ${worse[0]}`,
            stranger !== undefined && `it uses ${stranger}, which the original does not`,
            isScript && isPatched && 'the code changes what the language itself does',
            unseen ?? false,
            recursing.length > 0 && `${recursing[0]} calls itself, and long inputs could end the stack`
          ].find((reason) => typeof reason === 'string') || null,
        losses: lossesOf({
          before: items([unit, ...inlined]).filter(
            (item) => !(item.kind === 'call' && inlined.some((each) => wordOf(each) === item.key))
          ),
          after: items([other, ...helpers]).filter((item) => !(item.kind === 'call' && own.has(item.key))),
          measures
        }),
        gains: [...gone, ...gainsOf(measures.before, measures.after)]
      }
    ]
  })
}

function topOf(unit: Unit, units: readonly Unit[]): string {
  let current = unit
  while (current.owner !== null) {
    current = units.find(({ name }) => name === current.owner) ?? { ...current, owner: null }
  }
  return current.name
}
