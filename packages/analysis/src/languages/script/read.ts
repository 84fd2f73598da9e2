import { Linter, type SourceCode } from 'eslint'
import * as typescriptParser from '@typescript-eslint/parser'
import type { Language } from '@filewright/contracts'
import { createRecent } from '../../recent.js'
import type { Source } from '../../text/source.js'
import { limitFinallyDepth } from './finally-depth.js'
import { withNodeBudget } from './node-budget.js'
import type { ScriptNode } from './nodes.js'
import { childrenOf } from './walk.js'
import { skippedSyntax, type FailureHook, type SyntaxResult } from '../../types.js'

export interface Dialect {
  parser: 'espree' | 'typescript'
  sourceType: 'module' | 'commonjs' | 'script'
  jsx: boolean
}

/** Code as ESLint reads it; null where it cannot, and `syntax` says why. */
export interface ScriptReading {
  syntax: SyntaxResult
  code: { sourceCode: SourceCode; dialect: Dialect } | null
}

const modern: Dialect = { parser: 'espree', sourceType: 'module', jsx: true }
const typed: Dialect = { parser: 'typescript', sourceType: 'module', jsx: false }
const typedWithMarkup: Dialect = { parser: 'typescript', sourceType: 'module', jsx: true }

/** Ways to read the code, in the order they are tried; the first one's error is the one reported. */
function dialectsOf(language: Language, text: string): Dialect[] {
  if (language === 'tsx') return [typedWithMarkup]
  // A component sent as plain TypeScript is common, and casts in angle brackets are not allowed beside
  // markup: try both.
  if (language === 'typescript') return /<\/|\/>/.test(text) ? [typed, typedWithMarkup] : [typed]
  const plain: Dialect[] = [
    modern,
    { ...modern, sourceType: 'commonjs' },
    { ...modern, sourceType: 'script' }
  ]
  // espree does not read decorators yet.
  return /^[ \t]*@\w/m.test(text) ? [...plain, typedWithMarkup] : plain
}

export function filenameOf({ parser, jsx }: Dialect): string {
  return `code.${parser === 'espree' ? 'js' : jsx ? 'tsx' : 'ts'}`
}

export function baseConfigOf(dialect: Dialect): Linter.Config {
  return {
    files: ['**/*.js', '**/*.ts', '**/*.tsx'],
    // Comments in submitted code must not switch a rule off.
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' },
    languageOptions: {
      ecmaVersion: 'latest',
      sourceType: dialect.sourceType,
      ...(dialect.parser === 'typescript' ? { parser: typescriptParser as Linter.Parser } : {}),
      parserOptions: {
        ecmaFeatures: { jsx: dialect.jsx },
        // What only rules with type information need; it would cost a quarter of the parser's time.
        jsDocParsingMode: 'none',
        preserveNodeMaps: false,
        lib: [],
        suppressDeprecatedPropertyWarnings: true
      }
    }
  }
}

/** Deeper nesting than this takes the recursive parsers seconds, or their whole stack. */
const maxBrackets = 250
const maxOperators = 5_000

/**
 * Levels of the syntax tree. A process that has just started, whose code is not compiled yet, runs out of stack
 * at about twice as many; one that has run for a while goes further. So deeper code is refused in both.
 */
const MAX_TREE_DEPTH: Record<Dialect['parser'], number> = { espree: 800, typescript: 400 }
const LEVELS_OF_ARROW = 3

function isTooDeep({ ast }: SourceCode, maxDepth: number): boolean {
  const open: Array<[node: ScriptNode, depth: number]> = [[ast as unknown as ScriptNode, 1]]
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const [node, depth] = entry
    if (depth > maxDepth) return true
    // A parser goes through all kinds of expressions again for the body of an arrow function.
    const levels = node.type === 'ArrowFunctionExpression' ? LEVELS_OF_ARROW : 1
    for (const each of childrenOf(node)) open.push([each, depth + levels])
  }
  return false
}

function read(source: Source, language: Language, onFailure: FailureHook): ScriptReading {
  const { brackets, operators } = source.nesting(language)
  if (brackets > maxBrackets || operators > maxOperators) return { syntax: skippedSyntax, code: null }
  limitFinallyDepth()
  const linter = new Linter({ configType: 'flat' })
  let firstError: SyntaxResult | null = null

  for (const dialect of dialectsOf(language, source.text)) {
    let fatal: Linter.LintMessage | undefined
    try {
      fatal = withNodeBudget(source.text, () =>
        linter.verify(source.text, [baseConfigOf(dialect)], { filename: filenameOf(dialect) })
      ).find((message) => message.fatal === true)
    } catch (error) {
      // The traversal itself failed, as on code nested deeper than the call stack, or a limit of work was
      // reached.
      onFailure('eslint', error)
      return { syntax: skippedSyntax, code: null }
    }
    if (fatal === undefined) {
      const sourceCode = linter.getSourceCode()
      return isTooDeep(sourceCode, MAX_TREE_DEPTH[dialect.parser])
        ? { syntax: skippedSyntax, code: null }
        : { syntax: { ok: true }, code: { sourceCode, dialect } }
    }
    // A parser out of stack knows nothing about the code.
    if (/call stack/i.test(fatal.message)) return { syntax: skippedSyntax, code: null }
    firstError ??= {
      ok: false,
      line: fatal.line ?? 1,
      message: fatal.message.replace(/^Parsing error: /, '').replace(/\s*\(\d+:\d+\)$/, '')
    }
  }
  return { syntax: firstError ?? { ok: 'unknown' }, code: null }
}

const recent = createRecent<ScriptReading>()

export function readScript(
  source: Source,
  language: Language,
  onFailure: FailureHook = () => {}
): ScriptReading {
  return recent(language, source.text, () => read(source, language, onFailure))
}
