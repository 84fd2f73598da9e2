import { Linter, type ESLint, type Rule, type SourceCode } from 'eslint'
import * as typescriptParser from '@typescript-eslint/parser'
import security from 'eslint-plugin-security'
import type { Language } from '../languages.js'
import type { Source } from '../text/source.js'
import type { FailureHook, Hit, SyntaxResult } from '../types.js'
import { createScriptContext, type ScriptContext } from './context.js'
import { child, walk, type ScriptNode } from './nodes.js'
import type { ScriptRule, VisitRule } from './rule.js'

export interface ScriptLint {
  syntax: SyntaxResult
  hits: Hit[]
  sourceCode: SourceCode | null
}

interface Dialect {
  parser: 'espree' | 'typescript'
  sourceType: 'module' | 'commonjs' | 'script'
  jsx: boolean
}

const modern: Dialect = { parser: 'espree', sourceType: 'module', jsx: true }
const typed: Dialect = { parser: 'typescript', sourceType: 'module', jsx: false }
const typedWithMarkup: Dialect = { parser: 'typescript', sourceType: 'module', jsx: true }

/** Ways to read the code, in the order they are tried; the first one's error is the one reported. */
function dialectsOf (language: Language, text: string): Dialect[] {
  if (language === 'tsx') return [typedWithMarkup]
  // A component sent as plain TypeScript is common, and casts in angle brackets are not allowed beside markup: try both.
  if (language === 'typescript') return /<\/|\/>/.test(text) ? [typed, typedWithMarkup] : [typed]
  const plain: Dialect[] = [modern, { ...modern, sourceType: 'commonjs' }, { ...modern, sourceType: 'script' }]
  // espree does not read decorators yet.
  return /^[ \t]*@\w/m.test(text) ? [...plain, typedWithMarkup] : plain
}

/** Rules of ours as an ESLint plugin: one traversal serves all rules, and each is caught alone when it breaks. */
function asPlugin (rules: readonly VisitRule[], contexts: WeakMap<SourceCode, ScriptContext>, onFailure: FailureHook): ESLint.Plugin {
  const contextOf = (sourceCode: SourceCode): ScriptContext => {
    const known = contexts.get(sourceCode) ?? createScriptContext(sourceCode)
    contexts.set(sourceCode, known)
    return known
  }
  const compiled = rules.map((rule): [string, Rule.RuleModule] => [nameOf(rule), {
    create: (context) => ({
      [rule.on]: (visited: unknown) => {
        const node = visited as ScriptNode
        try {
          const found = rule.when === undefined ? true : rule.when(node, contextOf(context.sourceCode))
          if (found === false || found === null) return
          context.report({ loc: placeOf(found === true ? node : found).loc, message: rule.sentence })
        } catch (error) {
          onFailure(rule.id, error)
        }
      }
    })
  }])
  return { rules: Object.fromEntries(compiled) }
}

/** A call in a chain of several lines lies where its name stands, not where the chain begins. */
function placeOf (node: ScriptNode): ScriptNode {
  return node.type === 'CallExpression' ? child(child(node, 'callee'), 'property') ?? node : node
}

function nameOf (rule: VisitRule): string {
  return rule.id.replace('/', '-')
}

function configOf (dialect: Dialect, rules: readonly ScriptRule[], own: ESLint.Plugin): Linter.Config[] {
  return [{
    files: ['**/*.js', '**/*.ts', '**/*.tsx'],
    // Comments in submitted code must not switch a rule off.
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' },
    plugins: { own, security: security as ESLint.Plugin },
    languageOptions: {
      ecmaVersion: 'latest',
      sourceType: dialect.sourceType,
      ...(dialect.parser === 'typescript' ? { parser: typescriptParser as Linter.Parser } : {}),
      parserOptions: { ecmaFeatures: { jsx: dialect.jsx }, jsDocParsingMode: 'none', suppressDeprecatedPropertyWarnings: true }
    },
    rules: Object.fromEntries(rules.map((rule) => rule.engine === 'visit' ? [`own/${nameOf(rule)}`, 'warn'] : [rule.rule, ['warn', ...rule.options ?? []]]))
  }]
}

/** A crash inside ESLint names its rule; that rule is left out and the rest runs again. */
function verifyWithoutBrokenRules (
  linter: Linter, text: string, dialect: Dialect, rules: readonly ScriptRule[], own: ESLint.Plugin, onFailure: FailureHook
): Linter.LintMessage[] {
  let remaining = [...rules]
  for (;;) {
    try {
      return linter.verify(text, configOf(dialect, remaining, own), { filename: `code.${dialect.parser === 'espree' ? 'js' : dialect.jsx ? 'tsx' : 'ts'}` })
    } catch (error) {
      const broken = (error as { ruleId?: string }).ruleId
      const kept = remaining.filter((rule) => rule.engine === 'visit' || rule.rule !== broken)
      onFailure(broken ?? 'eslint', error)
      // Nothing to blame: the traversal itself failed, as on code nested deeper than the call stack.
      if (kept.length === remaining.length) return []
      remaining = kept
    }
  }
}

export function lintScript (source: Source, language: Language, rules: readonly ScriptRule[], onFailure: FailureHook): ScriptLint {
  const linter = new Linter({ configType: 'flat' })
  const contexts = new WeakMap<SourceCode, ScriptContext>()
  const own = asPlugin(rules.filter((rule) => rule.engine === 'visit'), contexts, onFailure)
  let firstError: SyntaxResult | null = null

  for (const dialect of dialectsOf(language, source.text)) {
    const messages = verifyWithoutBrokenRules(linter, source.text, dialect, rules, own, onFailure)
    const fatal = messages.find((message) => message.fatal === true)
    if (fatal === undefined) {
      const sourceCode = (linter.getSourceCode() as SourceCode | undefined) ?? null
      return { syntax: { ok: sourceCode === null ? 'unknown' : true } as SyntaxResult, hits: toHits(messages, rules, sourceCode, onFailure), sourceCode }
    }
    // A parser out of stack knows nothing about the code.
    if (/call stack/i.test(fatal.message)) return { syntax: { ok: 'unknown' }, hits: [], sourceCode: null }
    firstError ??= { ok: false, line: fatal.line ?? 1, message: fatal.message.replace(/^Parsing error: /, '').replace(/\s*\(\d+:\d+\)$/, '') }
  }
  return { syntax: firstError ?? { ok: 'unknown' }, hits: [], sourceCode: null }
}

function toHits (messages: readonly Linter.LintMessage[], rules: readonly ScriptRule[], sourceCode: SourceCode | null, onFailure: FailureHook): Hit[] {
  const byName = new Map(rules.map((rule) => [rule.engine === 'visit' ? `own/${nameOf(rule)}` : rule.rule, rule]))
  const script = sourceCode === null ? null : createScriptContext(sourceCode)
  const hits: Hit[] = []
  let deepest: Map<number, ScriptNode> | null = null
  // ESLint's own lookup walks the whole tree each time.
  function nodeAt (index: number): ScriptNode | undefined {
    deepest ??= new Map([...walk(sourceCode!.ast as unknown as ScriptNode)].map((node) => [node.range[0], node]))
    return deepest.get(index)
  }

  for (const message of messages) {
    const rule = byName.get(message.ruleId ?? '')
    if (rule === undefined) continue
    if (rule.engine === 'lint' && rule.accept !== undefined && sourceCode !== null && script !== null) {
      try {
        const node = nodeAt(sourceCode.getIndexFromLoc({ line: message.line, column: message.column - 1 }))
        if (node === undefined || !rule.accept(node, script)) continue
      } catch (error) {
        onFailure(rule.id, error)
        continue
      }
    }
    hits.push(rule.engine === 'lint' && rule.named === true ? { rule, line: message.line, message: message.message.replace(/ Allowed unused .*$/, '') } : { rule, line: message.line })
  }
  return hits
}
