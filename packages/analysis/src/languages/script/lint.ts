import { Linter, type ESLint, type Rule, type SourceCode } from 'eslint'
import security from 'eslint-plugin-security'
import type { Language } from '@filewright/contracts'
import type { Source } from '../../text/source.js'
import { skippedSyntax, type FailureHook, type Hit, type SyntaxResult } from '../../types.js'
import { createScriptContext, type ScriptContext } from './context.js'
import { child, type ScriptNode } from './nodes.js'
import { deepestAt } from './walk.js'
import { baseConfigOf, filenameOf, readScript, type Dialect } from './read.js'
import type { Found, ScriptRule, Verdict, VisitRule } from './rule.js'
import { createSilenced } from './silenced.js'

/** What is not certain of a finding, by its place: ESLint's messages cannot carry it. */
type Doubts = Map<string, Pick<Found, 'isDoubtful' | 'isLikely'>>

/**
 * Rules of ours as an ESLint plugin: one traversal serves all rules, and each is caught alone when it breaks.
 */
function asPlugin(
  rules: readonly VisitRule[],
  script: ScriptContext,
  doubts: Doubts,
  onFailure: FailureHook
): ESLint.Plugin {
  const compiled = rules.map((rule): [string, Rule.RuleModule] => [
    nameOf(rule),
    {
      create: (context) => ({
        [rule.on]: (visited: unknown) => {
          const node = visited as ScriptNode
          try {
            const found = rule.when === undefined ? true : rule.when(node, script)
            for (const { node: place, message, ...doubt } of allFound(found, node)) {
              const { loc } = placeOf(place)
              doubts.set(placeKey(`own/${nameOf(rule)}`, loc.start.line, loc.start.column + 1), doubt)
              context.report({ loc, message: message ?? rule.sentence })
            }
          } catch (error) {
            onFailure(rule.id, error)
          }
        }
      })
    }
  ])
  return { rules: Object.fromEntries(compiled) }
}

function allFound(found: ReturnType<NonNullable<VisitRule['when']>>, visited: ScriptNode): readonly Found[] {
  if (found === false || found === null) return []
  if (found === true) return [{ node: visited }]
  if (found === 'doubtful' || found === 'likely') return [{ node: visited, ...doubtOf(found) }]
  return Array.isArray(found) ? (found as readonly Found[]) : [{ node: found as ScriptNode }]
}

const doubtOf = (verdict: Verdict): Pick<Found, 'isDoubtful' | 'isLikely'> => ({
  isDoubtful: verdict === 'doubtful',
  isLikely: verdict === 'likely'
})

/** A call in a chain of several lines lies where its name stands, not where the chain begins. */
function placeOf(node: ScriptNode): ScriptNode {
  return node.type === 'CallExpression' ? (child(child(node, 'callee'), 'property') ?? node) : node
}

const placeKey = (rule: string | null, line: number, column: number): string => `${rule} ${line} ${column}`

function nameOf(rule: VisitRule): string {
  return rule.id.replace('/', '-')
}

function configOf(dialect: Dialect, rules: readonly ScriptRule[], own: ESLint.Plugin): Linter.Config[] {
  return [
    {
      ...baseConfigOf(dialect),
      plugins: { own, security: security as ESLint.Plugin },
      rules: Object.fromEntries(
        rules.map((rule) =>
          rule.engine === 'visit'
            ? [`own/${nameOf(rule)}`, 'warn']
            : [rule.rule, ['warn', ...(rule.options ?? [])]]
        )
      )
    }
  ]
}

/**
 * A crash inside ESLint names its rule; that rule is left out and the rest runs again. Null where it names none.
 */
function verifyWithoutBrokenRules(
  sourceCode: SourceCode,
  dialect: Dialect,
  rules: readonly ScriptRule[],
  own: ESLint.Plugin,
  onFailure: FailureHook
): Linter.LintMessage[] | null {
  const linter = new Linter({ configType: 'flat' })
  let remaining = [...rules]
  for (;;) {
    try {
      return linter.verify(sourceCode, configOf(dialect, remaining, own), { filename: filenameOf(dialect) })
    } catch (error) {
      const broken = (error as { ruleId?: string }).ruleId
      const kept = remaining.filter((rule) => rule.engine === 'visit' || rule.rule !== broken)
      onFailure(broken ?? 'eslint', error)
      // Nothing to blame: the traversal itself failed, as on code nested deeper than the call stack.
      if (kept.length === remaining.length) return null
      remaining = kept
    }
  }
}

/**
 * Walks through the whole expression for every level above every name in it: the cube of its length, and
 * seconds at 300 operators.
 */
const walksAgain: ReadonlySet<string> = new Set(['no-unmodified-loop-condition'])
const maxWalkedOperators = 50

export function lintScript(
  source: Source,
  language: Language,
  all: readonly ScriptRule[],
  onFailure: FailureHook
): { syntax: SyntaxResult; hits: Hit[] } {
  const isLong = source.nesting(language).operators > maxWalkedOperators
  const rules = all.filter((rule) => !isLong || rule.engine === 'visit' || !walksAgain.has(rule.rule))
  const { syntax, code } = readScript(source, language, onFailure)
  if (code === null) return { syntax, hits: [] }
  const { sourceCode, dialect } = code
  const script = createScriptContext(sourceCode)
  const doubts: Doubts = new Map()
  const own = asPlugin(
    rules.filter((rule) => rule.engine === 'visit'),
    script,
    doubts,
    onFailure
  )
  const messages = verifyWithoutBrokenRules(sourceCode, dialect, rules, own, onFailure)
  if (messages === null) return { syntax: skippedSyntax, hits: [] }
  return { syntax, hits: toHits(messages, rules, sourceCode, script, doubts, onFailure) }
}

/** Lines that a tool has written: a person stops long before. */
const packedChars = 300
const packedStatements = 8

/** Tells whether a line is of code that was minified, or of helpers that a compiler adds. */
function createPacked({ lines }: SourceCode): (line: number) => boolean {
  const known = new Map<number, boolean>()
  return (line) => {
    const before = known.get(line)
    if (before !== undefined) return before
    const text = lines[line - 1] ?? ''
    // A snippet of one line was put into it to be sent.
    const isPacked =
      text.length > (lines.length > 1 ? packedChars : 10 * packedChars) &&
      text.slice(0, 10 * packedChars).split(';').length > packedStatements
    known.set(line, isPacked)
    return isPacked
  }
}

const madeByTool =
  /\bgenerated (?:by|from|using)\b|\bauto-?generated\b|@generated\b|\bdo not (?:edit|modify)\b/i
/** What a model has written is read and kept by people. */
const madeByModel = /\b(?:ai|gpt|chatgpt|copilot|claude|gemini|cursor|llm|codex)\b/i

/** The first comment says that a tool has written the file: nobody mends it by hand. */
function isGenerated(sourceCode: SourceCode): boolean {
  const [first] = sourceCode.getAllComments()
  if (first?.range === undefined || sourceCode.text.slice(0, first.range[0]).trim() !== '') return false
  const text = first.value.slice(0, 500)
  return madeByTool.test(text) && !madeByModel.test(text)
}

function toHits(
  messages: readonly Linter.LintMessage[],
  rules: readonly ScriptRule[],
  sourceCode: SourceCode,
  script: ScriptContext,
  doubts: Doubts,
  onFailure: FailureHook
): Hit[] {
  const byName = new Map(
    rules.map((rule) => [rule.engine === 'visit' ? `own/${nameOf(rule)}` : rule.rule, rule])
  )
  const isSilenced = createSilenced(sourceCode)
  const isPacked = createPacked(sourceCode)
  const isFileGenerated = isGenerated(sourceCode)
  const hits: Hit[] = []
  for (const { ruleId, line, column, message } of messages) {
    const rule = byName.get(ruleId ?? '')
    if (rule === undefined) continue
    let doubt = doubts.get(placeKey(ruleId, line, column)) ?? {}
    if (rule.engine === 'lint' && rule.accept !== undefined) {
      try {
        const node = deepestAt(
          sourceCode.ast as unknown as ScriptNode,
          sourceCode.getIndexFromLoc({ line, column: column - 1 })
        )
        const verdict = rule.accept(node, script)
        if (verdict === false) continue
        doubt = doubtOf(verdict)
      } catch (error) {
        onFailure(rule.id, error)
        continue
      }
    }
    const named = rule.engine === 'visit' ? true : rule.named
    // The author knows, and may be right. What is about security is never for the author alone to say.
    const isKnown =
      rule.analysisType !== 'security' && (isFileGenerated || isSilenced(rule, line) || isPacked(line))
    hits.push({
      rule,
      line,
      isDoubtful: doubt.isDoubtful === true || isKnown,
      isLikely: doubt.isLikely === true,
      ...(named === undefined ? {} : { message: named === true ? message : named(message) })
    })
  }
  return hits
}
