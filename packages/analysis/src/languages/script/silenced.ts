import type { SourceCode } from 'eslint'
import { addTo } from '../../lists.js'
import type { ScriptRule } from './rule.js'

/** What ESLint and its plugins call the problems that rules of ours find. */
const othersNames: Readonly<Record<string, readonly string[]>> = {
  'js/array-for-in': ['guard-for-in', 'no-for-in-array'],
  'js/assigned-condition': ['no-cond-assign'],
  'js/async-for-each': ['no-misused-promises'],
  'js/async-condition': ['no-misused-promises', 'no-unnecessary-condition'],
  'js/conditional-hook': ['rules-of-hooks'],
  'js/effect-without-cleanup': ['exhaustive-deps'],
  'js/effect-without-dependencies': ['exhaustive-deps'],
  'js/floating-promise': ['no-floating-promises'],
  'js/index-as-key': ['no-array-index-key'],
  'js/kept-comparison': ['no-cond-assign'],
  'js/missing-key': ['jsx-key'],
  'js/no-unused-vars': ['no-unused-vars'],
  'js/query-in-loop': ['no-await-in-loop'],
  'js/sync-io-in-handler': ['no-sync'],
  'js/swallowed-error': ['no-empty'],
  'js/swallowed-rejection': ['no-empty-function']
}

/** Stands for every rule. */
const ANY = ''

interface Directive {
  type: 'disable' | 'enable' | 'disable-line' | 'disable-next-line'
  /** Names of rules between commas; all rules when empty. */
  value: string
  node: { loc: { start: { line: number }; end: { line: number } } }
}

interface Lines {
  first: number
  last: number
}

/** Without the plugin: the same rule goes by several, as `@typescript-eslint/no-redeclare`. */
const bareName = (rule: string): string => rule.slice(rule.lastIndexOf('/') + 1).trim()

/**
 * Tells whether the author has switched a rule off where it hits: by a comment for the line, or by one that
 * names the rule for the lines after it. A comment that switches everything off says nothing of any line.
 */
export function createSilenced(sourceCode: SourceCode): (rule: ScriptRule, line: number) => boolean {
  const silenced = new Map<string, Lines[]>()
  const open = new Map<string, Lines>()
  const add = (name: string, lines: Lines): Lines => {
    addTo(silenced, name, lines)
    return lines
  }
  const close = (name: string, line: number): void => {
    const block = open.get(name)
    if (block !== undefined) block.last = line
    open.delete(name)
  }
  for (const { type, value, node } of directivesOf(sourceCode)) {
    const { start, end } = node.loc
    for (const name of value.split(',').map(bareName)) {
      if (type === 'disable-line') add(name, { first: start.line, last: start.line })
      if (type === 'disable-next-line') add(name, { first: end.line + 1, last: end.line + 1 })
      if (type === 'disable' && name !== ANY && !open.has(name)) {
        open.set(name, add(name, { first: end.line, last: Infinity }))
      }
      if (type === 'enable') {
        for (const each of name === ANY ? [...open.keys()] : [name]) close(each, start.line)
      }
    }
  }
  return (rule, line) =>
    [ANY, ...namesOf(rule)].some((name) =>
      (silenced.get(name) ?? []).some(({ first, last }) => first <= line && line <= last)
    )
}

/** The types of ESLint leave this method out. */
const directivesOf = (sourceCode: SourceCode): Directive[] =>
  (
    sourceCode as unknown as { getDisableDirectives: () => { directives: Directive[] } }
  ).getDisableDirectives().directives

function namesOf(rule: ScriptRule): readonly string[] {
  return rule.engine === 'lint' ? [bareName(rule.rule)] : (othersNames[rule.id] ?? [])
}
