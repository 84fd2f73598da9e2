import { createRequire } from 'node:module'
import { createRecent } from '../../recent.js'
import { nestingOf } from '../../text/nesting.js'
import { createSource, type Source } from '../../text/source.js'
import { ruffRules } from './rules/index.js'
import { skippedSyntax, type Hit, type SyntaxResult } from '../../types.js'
import { undefinedFinder } from './names.js'
import { isExcused, isProven } from './proof.js'
import type { RuffRule } from './rule.js'

export interface RuffEdit {
  start: { row: number; column: number }
  end: { row: number; column: number }
  text: string
}

type Place = RuffEdit['start']

export interface RuffFix {
  code: string
  /** Where the flaw lies; the edits may touch less or more. */
  start: Place
  end: Place
  edits: RuffEdit[]
}

interface RuffDiagnostic {
  code: string | null
  message: string
  start_location: { row: number; column: number }
  end_location: { row: number; column: number }
  fix: null | {
    edits: {
      content: string | null
      location: { row: number; column: number }
      end_location: { row: number; column: number }
    }[]
  }
}

interface RuffModule {
  Workspace: new (
    options: unknown,
    encoding: number
  ) => { check(code: string): RuffDiagnostic[]; format(code: string): string; free(): void }
  PositionEncoding: { Utf16: number }
}

/**
 * Ruff has no way to ignore its suppression comments from here, so they are made unreadable, character for
 * character: a string or name that is hit by chance is only ever looked at, never given back.
 */
export function withoutSuppressions(text: string): string {
  return text
    .replace(/noqa/gi, 'n0qa')
    .replace(/#[^\n]*?\b(?:ruff|flake8|isort|yapf|fmt|pylint)\s*:/gi, (comment) => comment.slice(0, -1) + ';')
}

const writtenCode = /^(?:\w+\.)?(?:eval|exec)\(\s*[rRuU]?(?:"[^"]*"|'[^']*')\s*[),]/

const minReexports = 8
const maxUndefinedNames = 4

type Workspace = InstanceType<RuffModule['Workspace']>

/** Most projects still run on it: fixes use no newer syntax than the code itself does. */
const OLDEST_TARGET = 'py311'

/** Deeper nesting overruns the stack of the module. */
const maxDepth = 150

/**
 * Rules about comprehensions and calls parse the whole expression again for each of its levels: the cube of
 * the depth, and seconds at 50.
 */
const reparsing = /^C4|^SIM102$/
const maxReparsedDepth = 8
const MAX_REPARSED_BLOCKS = 25

/** Python itself takes no more. */
const MAX_BLOCKS = 100

const maxOperators = 500
/** Many errors on one such line take the square of its length. */
const maxLineChars = 20_000
/** Lines of four characters each: every one may be worth a report. */
const maxLines = 50_000

/** A module that trapped is loaded anew: its memory is in an unknown state and later calls could hang. */
function createRuff(rules: readonly RuffRule[]) {
  const workspaces = new Map<string, Workspace>()
  let hasTrapped = false
  const byCode = new Map(rules.map((rule) => [rule.code, rule]))
  const recent = createRecent<RuffDiagnostic[]>()

  function open(which: 'all' | 'cheap', target: string): Workspace {
    const load = createRequire(import.meta.url)
    if (hasTrapped) delete load.cache[load.resolve('@astral-sh/ruff-wasm-nodejs')]
    hasTrapped = false
    const ruff = load('@astral-sh/ruff-wasm-nodejs') as RuffModule
    return new ruff.Workspace(
      {
        'line-length': 160,
        'target-version': target,
        preview: false,
        lint: {
          select: [...byCode.keys()].filter((code) => which === 'all' || !reparsing.test(code)),
          mccabe: { 'max-complexity': 15 },
          pylint: { 'max-args': 6, 'max-returns': 8, 'max-statements': 80 },
          'flake8-bugbear': {
            'extend-immutable-calls': [
              'fastapi.Depends',
              'fastapi.Query',
              'fastapi.Path',
              'fastapi.Body',
              'fastapi.Header',
              'fastapi.File',
              'fastapi.Form',
              'fastapi.Security',
              'typer.Option',
              'typer.Argument',
              'Depends',
              'Query'
            ]
          }
        }
      },
      ruff.PositionEncoding.Utf16
    )
  }

  function diagnose(text: string): RuffDiagnostic[] {
    return recent('python', text, () => check(text))
  }

  function check(text: string): RuffDiagnostic[] {
    const { brackets, blocks } = nestingOf(text, 'python')
    const which = brackets > maxReparsedDepth || blocks > MAX_REPARSED_BLOCKS ? 'cheap' : 'all'
    const readable = withoutSuppressions(text)
    const diagnostics = checkFor(OLDEST_TARGET, which, readable)
    const target = targetOf(diagnostics)
    return target === null ? diagnostics : checkFor(target, which, readable)
  }

  function checkFor(target: string, which: 'all' | 'cheap', readable: string): RuffDiagnostic[] {
    const key = `${target} ${which}`
    try {
      const workspace = workspaces.get(key) ?? open(which, target)
      workspaces.set(key, workspace)
      return workspace.check(readable)
    } catch (error) {
      workspaces.clear()
      hasTrapped = true
      throw error
    }
  }

  function isTooDeep({ lines, nesting }: Source): boolean {
    const { brackets, operators, blocks } = nesting('python')
    return (
      lines.length > maxLines ||
      lines.some((line) => line.length > maxLineChars) ||
      brackets > maxDepth ||
      blocks > MAX_BLOCKS ||
      operators > maxOperators
    )
  }

  function syntaxOf(diagnostics: readonly RuffDiagnostic[]): SyntaxResult {
    const broken = diagnostics.find(isSyntaxError)
    return broken === undefined
      ? { ok: true }
      : { ok: false, line: broken.start_location.row, message: broken.message.replace(/^SyntaxError: /, '') }
  }

  return {
    check(source: Source): { syntax: SyntaxResult; hits: Hit[] } {
      if (isTooDeep(source)) return { syntax: skippedSyntax, hits: [] }
      const diagnostics = diagnose(source.text)
      const hits: Hit[] = []
      const isUndefined = undefinedFinder(source.text)
      const undefinedNames = new Set(
        diagnostics.flatMap((each) => (each.code === 'F821' ? [each.message] : []))
      )
      // So many names that nobody defines belong to code that was not sent.
      const isPiece = undefinedNames.size > maxUndefinedNames
      // A module that imports so much for others hands it on.
      const isReexporting = diagnostics.filter((each) => each.code === 'F401').length >= minReexports
      for (const {
        code,
        message,
        start_location: { row, column }
      } of diagnostics) {
        const rule = byCode.get(code ?? '')
        // An import that is tried asks whether the module is there.
        if (code === 'F401' && (message.includes('find_spec') || isReexporting)) continue
        // Reading an attribute may do something.
        if (code === 'B018' && /^\s*[\w.]+\.\w+\s*(?:#.*)?$/.test(source.lines[row - 1] ?? '')) continue
        // Text that is written down says what it does.
        if (
          (code === 'S307' || code === 'S102') &&
          writtenCode.test(source.lines[row - 1]?.slice(column - 1) ?? '')
        ) {
          continue
        }
        if (code === 'F821' && !isUndefined(/`(\w+)`/.exec(message)?.[1] ?? '')) continue
        const place = { lines: source.lines, row, column }
        if (rule !== undefined && !isExcused(rule.code, place)) {
          hits.push({
            rule,
            line: row,
            isLikely: !isProven(rule.code, place) || (code === 'F821' && isPiece),
            ...(rule.named === true ? { message: `${message.replace(/\.$/, '')}.` } : {})
          })
        }
      }
      return { syntax: syntaxOf(diagnostics), hits }
    },
    /** Ruff's fixes of the rules named, as edits of the text it was given. */
    fixes(text: string, codes: ReadonlySet<string>): RuffFix[] {
      if (isTooDeep(createSource(text))) return []
      return diagnose(text).flatMap(({ code, fix, start_location: start, end_location: end }) =>
        code === null || fix === null || !codes.has(code)
          ? []
          : [
              {
                code,
                start,
                end,
                edits: fix.edits.map((edit) => ({
                  start: edit.location,
                  end: edit.end_location,
                  text: edit.content ?? ''
                }))
              }
            ]
      )
    }
  }
}

/** The version of Python that has all the syntax of the code, if the oldest target has not. */
function targetOf(diagnostics: readonly RuffDiagnostic[]): string | null {
  const needed = diagnostics
    .filter(isSyntaxError)
    .map(({ message }) => Number(/\(syntax was added in Python 3\.(\d+)\)/.exec(message)?.[1] ?? 0))
  const minor = Math.max(0, ...needed)
  return minor === 0 ? null : `py3${minor}`
}

function isSyntaxError({ code }: RuffDiagnostic): boolean {
  return code === null || code === 'invalid-syntax'
}

/** One for all that ask: its module takes long to load and much memory. */
export const ruff = createRuff(ruffRules)
