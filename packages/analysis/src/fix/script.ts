import { Linter } from 'eslint'
import type { Language } from '../languages.js'
import { baseConfigOf, filenameOf, readScript } from '../script/read.js'
import { createSource } from '../text/source.js'
import type { Edit, Editor } from './edits.js'

/**
 * ESLint's fixes that keep what the code does and how it is laid out. `prefer-template` is not among them (+ and templates convert
 * objects differently), nor are fixes that leave a block at its old indentation.
 */
const safe: Readonly<Record<string, { options?: unknown[], description: string }>> = {
  'no-var': { description: 'Declared with let instead of var.' },
  'prefer-const': { options: [{ destructuring: 'all' }], description: 'Declared with const what never changes.' },
  eqeqeq: { options: ['always', { null: 'ignore' }], description: 'Compared with === where both sides have the same type.' },
  'object-shorthand': { options: ['properties'], description: 'Used the shorthand for properties.' },
  'no-unneeded-ternary': { description: 'Used the condition itself instead of true and false.' },
  'no-useless-return': { description: 'Removed a return that does nothing.' },
  'no-useless-rename': { description: 'Removed a rename to the same name.' },
  'no-useless-computed-key': { description: 'Wrote a fixed key without brackets.' },
  'no-extra-boolean-cast': { description: 'Removed a double conversion to boolean.' },
  'dot-notation': { description: 'Read a fixed property with a dot.' },
  'prefer-object-spread': { description: 'Used the spread syntax instead of Object.assign.' },
  'prefer-exponentiation-operator': { description: 'Used ** instead of Math.pow.' },
  'operator-assignment': { description: 'Used the short form of the assignment.' },
  yoda: { options: ['never', { exceptRange: true }], description: 'Put the value that varies first.' }
}

/** Searches that test more than they must; the answer is the same. */
function * searches (text: string): Generator<Edit> {
  const balanced = '((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*)'
  for (const match of text.matchAll(new RegExp(`\\.filter\\(${balanced}\\)\\[0\\]`, 'g'))) {
    yield { start: match.index, end: match.index + match[0].length, text: `.find(${match[1]})`, ruleId: 'js/filter-first', description: 'Stopped searching at the first match (find instead of filter).' }
  }
  for (const match of text.matchAll(new RegExp(`\\.filter\\(${balanced}\\)\\.length\\s*(?:>\\s*0|!==?\\s*0|>=\\s*1)(?!\\d)`, 'g'))) {
    yield { start: match.index, end: match.index + match[0].length, text: `.some(${match[1]})`, ruleId: 'js/filter-count', description: 'Stopped counting at the first match (some instead of filter).' }
  }
}

/** At the top of a classic script `var` makes a property of the global object, which other scripts may use. */
function isClassicScript (text: string): boolean {
  return !/^[ \t]*(?:import|export)\b|\brequire\s*\(|\bmodule\.exports\b|\bexports\.\w/m.test(text)
}

function edits (text: string, language: Language, ruleIds: ReadonlySet<string>): Edit[] {
  const { code } = readScript(createSource(text), language)
  if (code === null) return []
  const { sourceCode, dialect } = code
  const isTyped = language === 'typescript' || language === 'tsx'
  const names = Object.keys(safe).filter((name) => ruleIds.has(`js/${name}`) && !(isTyped && name === 'dot-notation'))
  const messages = new Linter({ configType: 'flat' }).verify(sourceCode, [{
    ...baseConfigOf(dialect),
    rules: Object.fromEntries(names.map((name) => [name, ['warn', ...safe[name]!.options ?? []]]))
  }], { filename: filenameOf(dialect) })
  const globals = isClassicScript(text) ? new Set(sourceCode.ast.body.filter(({ type }) => type === 'VariableDeclaration').map(({ range }) => range![0])) : new Set<number>()
  const linted = messages.flatMap(({ ruleId, fix, line, column }): Edit[] => {
    if (fix === undefined || ruleId === null) return []
    if (ruleId === 'no-var' && globals.has(sourceCode.getIndexFromLoc({ line, column: column - 1 }))) return []
    return [{ start: fix.range[0], end: fix.range[1], text: fix.text, ruleId: `js/${ruleId}`, description: safe[ruleId]?.description ?? '' }]
  })
  return [...linted, ...[...searches(text)].filter(({ ruleId }) => ruleIds.has(ruleId))]
}

export const scriptEditor: Editor = { ruleIds: [...Object.keys(safe).map((rule) => `js/${rule}`), 'js/filter-first', 'js/filter-count'], edits }
