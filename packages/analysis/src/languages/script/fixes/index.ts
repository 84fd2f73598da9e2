import { Linter, type SourceCode } from 'eslint'
import type { Language } from '@filewright/contracts'
import { createScriptContext, type ScriptContext } from '../context.js'
import { child, children, isType, type ScriptNode } from '../nodes.js'
import { closest, contains, deepestAt, enclosingFunction } from '../walk.js'
import { baseConfigOf, filenameOf, readScript, type ScriptReading } from '../read.js'
import { createSource } from '../../../text/source.js'
import type { Edit, Editor } from '../../../fix/edits.js'
import { startedWithoutShell } from './commands.js'
import { hoistedPatterns } from './loops.js'
import { plainTexts } from './markup.js'
import { searches } from './searches.js'
import { searchedSets } from './sets.js'
import { parameterisedQueries } from './sql.js'
import { hiddenUseOf, hiddenUses } from './text-as-code.js'

/**
 * ESLint's fixes that keep what the code does and how it is laid out. `prefer-template` is not among them (+
 * and templates convert objects differently), nor are fixes that leave a block at its old indentation.
 */
const safe: Readonly<Record<string, { options?: unknown[]; description: string }>> = {
  'no-var': { description: 'Declared with let instead of var.' },
  'prefer-const': {
    options: [{ destructuring: 'all' }],
    description: 'Declared with const what never changes.'
  },
  eqeqeq: {
    options: ['always', { null: 'ignore' }],
    description: 'Compared with === where both sides have the same type.'
  },
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

/** Fixes that give an expression another type, which may not compile. */
const untypedOnly = new Set(['dot-notation', 'prefer-object-spread'])

/**
 * At the top of a classic script `var` makes a property of the global object, which other scripts may use.
 */
function isClassicScript(root: ScriptNode, text: string): boolean {
  return (
    !children(root, 'body').some(({ type }) => /^(?:Import|Export)/.test(type)) &&
    !/\brequire\s*\(\s*['"`]|\bmodule\.exports\b|\bexports\.\w/.test(text)
  )
}

/** Declared for other scripts too: with var, or empty until somebody sets it. */
function isShared(ruleId: string, node: ScriptNode): boolean {
  if (enclosingFunction(node) !== null) return false
  const declarator = closest(node, ({ type }) => type === 'VariableDeclarator')
  const value = child(declarator, 'init')
  return (
    ruleId === 'no-var' ||
    (ruleId === 'prefer-const' && (isType(value, 'Literal') ? !value.value : value?.name === 'undefined'))
  )
}

/** What ESLint takes for the language's own although the code says otherwise. */
function isSpecial(ruleId: string, node: ScriptNode, script: ScriptContext): boolean {
  if (ruleId === 'object-shorthand') {
    return contains(node.parent ?? node, (inner) => inner.name === '__proto__' || inner.value === '__proto__')
  }
  if (ruleId === 'no-extra-boolean-cast') {
    return isType(node, 'Identifier') && (script.variableOf(node)?.defs.length ?? 0) > 0
  }
  return false
}

/** ESLint drops the spaces inside the braces of an object that it dissolves, and writes ** without spaces. */
function withSpaces(ruleId: string, text: string, original: string, node: ScriptNode | null): string {
  if (ruleId === 'prefer-exponentiation-operator') return withSpacedPower(text, original, node)
  if (ruleId !== 'prefer-object-spread' || !(/\{ \S/.test(original) || /^\(?\{ /.test(text))) return text
  return text.replace(/^(\(?\{)(?=[^\s}])/, '$1 ').replace(/([^\s{,]),?[ \t]*\}(\)?)$/, '$1 }$2')
}

/** Code with a space after the comma of Math.pow has spaces around its operators. */
function withSpacedPower(text: string, original: string, node: ScriptNode | null): string {
  const call = node === null ? null : closest(node, ({ type }) => type === 'CallExpression')
  const [base, exponent] = call === null ? [] : children(call, 'arguments')
  if (call === null || base === undefined || exponent === undefined) return text
  const [from] = call.range
  const between = original.slice(base.range[1] - from, exponent.range[0] - from)
  if (!/,\s/.test(between)) return text
  const baseText = original.slice(base.range[0] - from, base.range[1] - from)
  const at = text.indexOf('**', text.indexOf(baseText) + baseText.length)
  return at === -1 ? text : `${text.slice(0, at)} ** ${text.slice(at + 2)}`
}

const isTypedLanguage = (language: Language): boolean => language === 'typescript' || language === 'tsx'

/** ESLint's fixes in some code. */
function lint(
  { sourceCode, dialect }: NonNullable<ScriptReading['code']>,
  language: Language,
  ruleIds: ReadonlySet<string>
): Linter.LintMessage[] {
  const names = Object.keys(safe).filter(
    (name) => ruleIds.has(`js/${name}`) && !(isTypedLanguage(language) && untypedOnly.has(name))
  )
  return new Linter({ configType: 'flat' })
    .verify(
      sourceCode,
      [
        {
          ...baseConfigOf(dialect),
          rules: Object.fromEntries(names.map((name) => [name, ['warn', ...(safe[name]!.options ?? [])]]))
        }
      ],
      { filename: filenameOf(dialect) }
    )
    .filter(({ fix }) => fix !== undefined)
}

/** The node that a message is about. */
const nodeAt = (sourceCode: SourceCode, { line, column }: Linter.LintMessage): ScriptNode =>
  deepestAt(sourceCode.ast as unknown as ScriptNode, sourceCode.getIndexFromLoc({ line, column: column - 1 }))

/** Code that nobody sees could assign to a name, which would fail for `const`, or declare it again. */
const declares = (ruleId: string | null): boolean => ruleId === 'js/no-var' || ruleId === 'js/prefer-const'

function edits(text: string, language: Language, ruleIds: ReadonlySet<string>): Edit[] {
  const { code } = readScript(createSource(text), language)
  if (code === null) return []
  const { sourceCode } = code
  const isTyped = isTypedLanguage(language)
  const messages = lint(code, language, ruleIds)
  const script = createScriptContext(sourceCode)
  const root = sourceCode.ast as unknown as ScriptNode
  const comments = sourceCode.getAllComments()
  const isClassic = isClassicScript(root, text)
  const uses = hiddenUses(root, text)
  const linted = messages.flatMap((message): Edit[] => {
    const { ruleId, fix } = message
    if (fix === undefined || ruleId === null) return []
    const [start, end] = fix.range
    const node = nodeAt(sourceCode, message)
    if (declares(`js/${ruleId}`) && hiddenUseOf(node, root, uses) !== undefined) return []
    if ((isClassic && isShared(ruleId, node)) || isSpecial(ruleId, node, script)) return []
    if (
      comments.some(({ range, value }) => range![0] < end && range![1] > start && !fix.text.includes(value))
    ) {
      return []
    }
    return [
      {
        start,
        end,
        text: withSpaces(ruleId, fix.text, text.slice(start, end), node),
        ruleId: `js/${ruleId}`,
        description: safe[ruleId]?.description ?? ''
      }
    ]
  })
  // What is about security comes first: it must not wait for a round that large code does not get.
  const own = [
    ...parameterisedQueries(root, script),
    ...startedWithoutShell(root, script),
    ...plainTexts(root, script),
    ...hoistedPatterns(root, script, text),
    ...searchedSets(root, script, text),
    ...searches(root, script, isTyped)
  ]
  return [...own.filter(({ ruleId }) => ruleIds.has(ruleId)), ...linted]
}

/** Names the first declaration that stays as it is because of code that nobody sees. */
function heldBack(text: string, language: Language, ruleIds: ReadonlySet<string>): string | null {
  const { code } = readScript(createSource(text), language)
  if (code === null) return null
  const root = code.sourceCode.ast as unknown as ScriptNode
  const uses = hiddenUses(root, text)
  if (uses.size === 0) return null
  for (const message of lint(code, language, ruleIds)) {
    if (!declares(`js/${message.ruleId}`)) continue
    const use = hiddenUseOf(nodeAt(code.sourceCode, message), root, uses)
    if (use === undefined) continue
    const what = isType(use, 'WithStatement') ? '`with`' : '`eval`'
    return `the declaration on line ${message.line} stays, because ${what} on line ${use.loc.start.line} may use its names`
  }
  return null
}

export const scriptEditor: Editor = {
  ruleIds: [
    ...Object.keys(safe).map((rule) => `js/${rule}`),
    'js/filter-first',
    'js/filter-count',
    'js/lookup-in-loop',
    'js/regex-in-loop',
    'js/shell-injection',
    'js/sql-injection',
    'js/unescaped-markup'
  ],
  edits,
  heldBack
}
