import { createRequire } from 'node:module'
import { bracketDepth, operatorDepth, type Source } from '../text/source.js'
import type { Hit, RuleInfo, SyntaxResult } from '../types.js'

export interface RuffRule extends RuleInfo {
  readonly engine: 'ruff'
  readonly code: string
  readonly named?: true
}

export interface RuffEdit {
  start: { row: number, column: number }
  end: { row: number, column: number }
  text: string
}

interface RuffDiagnostic {
  code: string | null
  message: string
  start_location: { row: number, column: number }
  fix: null | { edits: { content: string | null, location: { row: number, column: number }, end_location: { row: number, column: number } }[] }
}

interface RuffModule {
  Workspace: new (options: unknown, encoding: number) => { check (code: string): RuffDiagnostic[], format (code: string): string, free (): void }
  PositionEncoding: { Utf16: number }
}

/**
 * Ruff has no way to ignore its suppression comments from here, so they are made unreadable, character for character: a string or
 * name that is hit by chance is only ever looked at, never given back.
 */
export function withoutSuppressions (text: string): string {
  return text
    .replace(/noqa/gi, 'n0qa')
    .replace(/#[^\n]*?\b(?:ruff|flake8|isort|yapf|fmt|pylint)\s*:/gi, (comment) => comment.slice(0, -1) + ';')
}

function slipFinder (text: string): (name: string) => boolean {
  let names: string[] | null = null
  const answers = new Map<string, boolean>()
  return (name) => {
    names ??= [...new Set(text.match(/\b[A-Za-z_]\w{2,}\b/g))]
    const known = answers.get(name) ??
      (name.length >= 4 && names.some((other) => other !== name && Math.abs(other.length - name.length) <= 1 && isOneEditApart(name, other)))
    answers.set(name, known)
    return known
  }
}

function isOneEditApart (one: string, two: string): boolean {
  const [short, long] = one.length <= two.length ? [one, two] : [two, one]
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  const rest = short.length === long.length ? at + 1 : at
  // `user` beside `users`: a plural is another name, not a slip.
  if (short.length !== long.length && at === short.length && long.endsWith('s')) return false
  return short.slice(rest) === long.slice(at + 1)
}

type Workspace = InstanceType<RuffModule['Workspace']>

/** Deeper nesting overruns the stack of the module. */
const maxDepth = 150

const maxOperators = 500
/** Many errors on one such line take the square of its length. */
const maxLineChars = 20_000
/** Lines of four characters each: every one may be worth a report. */
const maxLines = 50_000

/** A module that trapped is loaded anew: its memory is in an unknown state and later calls could hang. */
export function createRuff (rules: readonly RuffRule[]) {
  let workspace: Workspace | null = null
  let hasTrapped = false
  const byCode = new Map(rules.map((rule) => [rule.code, rule]))

  function open (): Workspace {
    const load = createRequire(import.meta.url)
    if (hasTrapped) delete load.cache[load.resolve('@astral-sh/ruff-wasm-nodejs')]
    hasTrapped = false
    const ruff = load('@astral-sh/ruff-wasm-nodejs') as RuffModule
    return new ruff.Workspace({
      'line-length': 160,
      'target-version': 'py311',
      preview: false,
      lint: {
        select: [...byCode.keys()],
        mccabe: { 'max-complexity': 15 },
        pylint: { 'max-args': 6, 'max-returns': 8, 'max-statements': 80 },
        'flake8-bugbear': { 'extend-immutable-calls': ['fastapi.Depends', 'fastapi.Query', 'fastapi.Path', 'fastapi.Body', 'fastapi.Header', 'fastapi.File', 'fastapi.Form', 'fastapi.Security', 'typer.Option', 'typer.Argument', 'Depends', 'Query'] }
      }
    }, ruff.PositionEncoding.Utf16)
  }

  function diagnose (text: string): RuffDiagnostic[] {
    workspace ??= open()
    try {
      return workspace.check(withoutSuppressions(text))
    } catch (error) {
      workspace = null
      hasTrapped = true
      throw error
    }
  }

  function isTooDeep (text: string): boolean {
    const lines = text.split('\n')
    return lines.length > maxLines || lines.some((line) => line.length > maxLineChars) || bracketDepth(text) > maxDepth || operatorDepth(text) > maxOperators
  }

  function syntaxOf (diagnostics: readonly RuffDiagnostic[]): SyntaxResult {
    const broken = diagnostics.find((each) => each.code === null || each.code === 'invalid-syntax')
    return broken === undefined ? { ok: true } : { ok: false, line: broken.start_location.row, message: broken.message.replace(/^SyntaxError: /, '') }
  }

  return {
    check (source: Source): { syntax: SyntaxResult, hits: Hit[] } {
      if (isTooDeep(source.text)) return { syntax: { ok: 'unknown' }, hits: [] }
      const diagnostics = diagnose(source.text)
      const hits: Hit[] = []
      const isSlip = slipFinder(source.text)
      for (const { code, message, start_location: { row } } of diagnostics) {
        const rule = byCode.get(code ?? '')
        // A name that is defined nowhere is mostly defined in code that was not sent; one letter beside a known name it is a slip.
        if (code === 'F821' && !isSlip(/`(\w+)`/.exec(message)?.[1] ?? '')) continue
        if (rule !== undefined) hits.push(rule.named === true ? { rule, line: row, message: `${message.replace(/\.$/, '')}.` } : { rule, line: row })
      }
      return { syntax: syntaxOf(diagnostics), hits }
    },
    /** Ruff's fixes of the rules named, as edits of the text it was given. */
    fixes (text: string, codes: ReadonlySet<string>): { code: string, line: number, edits: RuffEdit[] }[] {
      if (isTooDeep(text)) return []
      return diagnose(text).flatMap(({ code, fix, start_location: { row } }) => code === null || fix === null || !codes.has(code)
        ? []
        : [{ code, line: row, edits: fix.edits.map((edit) => ({ start: edit.location, end: edit.end_location, text: edit.content ?? '' })) }])
    }
  }
}
