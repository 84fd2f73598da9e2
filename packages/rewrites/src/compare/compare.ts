import {
  analyze,
  grammarOf,
  isOneOf,
  provableLanguages,
  scriptLanguages,
  sqlLanguages,
  unknownNames,
  wordsIn,
  type Finding,
  type Grammar,
  type Unit
} from '@filewright/analysis/parsing'
import { privateNames } from '../run/private-names.js'
import { parseScript } from '../run/targets.js'
import { isCallCompatible } from './heads.js'
import { gainsOf, measuresOf, type Measures } from './gains.js'
import { itemsOf, type Item } from './items.js'
import { lossesOf, type Loss } from './losses.js'
import { recursiveIn } from './recursion.js'
import { neededBy, sidesOf, wordOf, type RewriteInput } from './sides.js'
import { findForeignName, findUnseen, patchesBuiltIns } from './strangers.js'
import { isSameQuery } from './sql-meaning.js'
import { isWrittenOut } from './written-out.js'

/** A unit that a rewrite changes, with the evidence for and against accepting it. */
export interface UnitChange {
  name: string
  /** The top-level unit that contains it, usually the unit itself. */
  top: string
  /** The evidence of equal behaviour: a run beside the original, or an equal parse tree. */
  proof: 'run' | 'tree'
  /** Why the change cannot be accepted, whatever its gains. */
  refusal: string | null
  losses: Loss[]
  gains: string[]
}

/** Side-effect-free modules of the standard library. Their results can be trusted. */
const pureImports =
  /^(?:from|import)\s+(?:__future__|abc|base64|binascii|bisect|collections|contextlib|copy|dataclasses|decimal|enum|fractions|functools|heapq|html|itertools|json|math|numbers|operator|re|statistics|string|struct|textwrap|types|typing|unicodedata|urllib\.parse)\b/

/** Without effects, and alike on all systems. Most of `os.path` depends on the separator of the system. */
const purePaths = /^os\.path\.commonprefix$/

/** Whether an import of Python gives the code nothing but pure functions. */
function isPureImport(text: string, code: string): boolean {
  if (pureImports.test(text)) return true
  const uses = code.match(/\bos\b[\w.]*/g) ?? []
  return /^import\s+os\s*$/.test(text) && uses.every((use) => purePaths.test(use))
}

const exportOf = ({ text }: Unit): string => /^export(?:\s+default)?\b/.exec(text)?.[0] ?? ''

/** Suggestions are about style. A proven rewrite that gains something may add one. */
const isWarning = ({ type }: Finding): boolean => type === 'warning'

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
        : !(await isSameQuery(before, after))
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
 * Judges a rewrite unit by unit. Null if no parser of ours can split the code, or if no check can prove equal
 * behaviour in this language.
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
  // The module calls these only itself, and running it shows whether both sides of each call agree.
  const hidden = isScript ? privateNames(parseScript(before, language)) : new Set<string>()
  const findings = {
    before: await analyze({ code: before, language }),
    after: await analyze({ code: after, language })
  }
  const dropped = old.filter((unit) => !unit.isImport && !sides.fresh.some(({ name }) => name === unit.name))

  return changed.flatMap(([unit, other]): UnitChange[] => {
    if (unit.isImport) return []
    const needed = neededBy(other.text, added)
    const helpers = needed.filter(({ isImport }) => !isImport)
    // The unit now contains the code of functions that it used to call and that were removed.
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
    const warned = findingsIn(findings.after.filter(isWarning), [other, ...helpers])
    const worse = [...warned].find(([ruleId, count]) => count > (had.get(ruleId) ?? 0))
    const gone = [...had]
      .filter(([ruleId, count]) => (has.get(ruleId) ?? 0) < count)
      .map(([ruleId]) => ruleId)
    const strange = [...wordsIn(other.text + helpers.map(({ text }) => text).join('\n'))].find((word) =>
      unknown.has(word)
    )
    const own = new Set(helpers.map(wordOf))
    const texts = {
      before: [unit, ...inlined].map(({ text }) => text).join('\n'),
      after: [other, ...helpers].map(({ text }) => text).join('\n')
    }
    const foreign = needed.find(
      (each) => each.isImport && !(language === 'python' && isPureImport(each.text, texts.after))
    )
    const stranger = findForeignName(
      wordsIn(texts.before),
      wordsIn(language === 'python' ? texts.after.replace(/\bos\.path\.commonprefix\b/g, '') : texts.after),
      language
    )
    const unseen = isScript ? findUnseen(texts.before, texts.after) : null
    const methods = old.filter(({ owner }) => owner === unit.name)
    const recursive = {
      before: recursiveIn([unit, ...inlined, ...methods]),
      after: recursiveIn([other, ...helpers])
    }
    const [recursing] = recursive.before.length > 0 ? [] : recursive.after
    return [
      {
        name: unit.name,
        top: topOf(unit, old),
        proof: 'run',
        refusal:
          [
            !isWrittenOut(unit.text, other.text) && 'it is not written out',
            strange !== undefined && `it uses ${strange}, which nobody declares`,
            foreign !== undefined && `it needs ${foreign.text.trim()}`,
            !hidden.has(unit.name) &&
              !isCallCompatible(unit, other, isScript) &&
              'it is called in another way',
            exportOf(unit) !== exportOf(other) && 'it is exported in another way',
            worse !== undefined && `it adds a finding of ${worse[0]}`,
            stranger !== undefined && `it uses ${stranger}, which the original does not`,
            isScript && isPatched && 'the code changes what the language itself does',
            unseen ?? false,
            isScript && unit.owner === null && losesThis(texts) && 'it loses this, which callers choose',
            recursing !== undefined && `${recursing} calls itself, and long inputs could end the stack`
          ].find((reason) => typeof reason === 'string') || null,
        losses: lossesOf({
          before: items([unit, ...inlined]).filter(
            (item) => !(item.kind === 'call' && inlined.some((each) => wordOf(each) === item.key))
          ),
          after: items([other, ...helpers]).filter((item) => !(item.kind === 'call' && own.has(item.key))),
          measures
        }),
        gains: [
          ...gone,
          ...(recursive.after.length < recursiveIn([unit, ...inlined]).length ? ['recursion'] : []),
          ...gainsOf(measures.before, measures.after)
        ]
      }
    ]
  })
}

/** Stand-ins do not record the `this` of a call. */
function losesThis({ before, after }: { before: string; after: string }): boolean {
  const speaks = (text: string): boolean => /\bthis\b/.test(text.replace(/\/\*[^]*?\*\/|\/\/.*/g, ''))
  return speaks(before) && !speaks(after)
}

function topOf(unit: Unit, units: readonly Unit[]): string {
  let current = unit
  while (current.owner !== null) {
    current = units.find(({ name }) => name === current.owner) ?? { ...current, owner: null }
  }
  return current.name
}
