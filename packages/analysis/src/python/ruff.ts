import { createRequire } from 'node:module'
import type { Source } from '../text/source.js'
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

type Workspace = InstanceType<RuffModule['Workspace']>

/** Compiles to WebAssembly once per process; a workspace that trapped is thrown away, because its memory may be broken. */
export function createRuff (rules: readonly RuffRule[]) {
  let workspace: Workspace | null = null
  const byCode = new Map(rules.map((rule) => [rule.code, rule]))

  function open (): Workspace {
    const ruff = createRequire(import.meta.url)('@astral-sh/ruff-wasm-nodejs') as RuffModule
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
      throw error
    }
  }

  function syntaxOf (diagnostics: readonly RuffDiagnostic[]): SyntaxResult {
    const broken = diagnostics.find((each) => each.code === null || each.code === 'invalid-syntax')
    return broken === undefined ? { ok: true } : { ok: false, line: broken.start_location.row, message: broken.message.replace(/^SyntaxError: /, '') }
  }

  return {
    check (source: Source): { syntax: SyntaxResult, hits: Hit[] } {
      const diagnostics = diagnose(source.text)
      const hits: Hit[] = []
      for (const { code, message, start_location: { row } } of diagnostics) {
        const rule = byCode.get(code ?? '')
        if (rule !== undefined) hits.push(rule.named === true ? { rule, line: row, message: `${message.replace(/\.$/, '')}.` } : { rule, line: row })
      }
      return { syntax: syntaxOf(diagnostics), hits }
    },
    /** Ruff's fixes of the rules named, as edits of the text it was given. */
    fixes (text: string, codes: ReadonlySet<string>): { code: string, line: number, edits: RuffEdit[] }[] {
      return diagnose(text).flatMap(({ code, fix, start_location: { row } }) => code === null || fix === null || !codes.has(code)
        ? []
        : [{ code, line: row, edits: fix.edits.map((edit) => ({ start: edit.location, end: edit.end_location, text: edit.content ?? '' })) }])
    }
  }
}
