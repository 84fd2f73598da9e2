import { ruff, type RuffEdit } from '../ruff.js'
import { ruffRules } from '../rules/index.js'
import { createSource } from '../../../text/source.js'
import { parseTree } from '../../../tree/tree.js'
import type { Edit, Editor } from '../../../fix/edits.js'
import { filesInWith } from './files.js'
import { joinedTexts } from './joins.js'
import { keepsMeaning } from './meaning.js'
import { parameterisedPython } from './sql.js'

/**
 * The code gives `str` or `open` a meaning of its own: by an assignment, a definition, an import, a loop or a
 * parameter. Our own fixes rely on both. A keyword argument of that name counts as well, which only costs a fix.
 */
const rebindsBuiltin =
  /(?<![.:]\s*)\b(?:str|open)\s*=(?!=)|\b(?:def|class|as|for)\s+(?:str|open)\b|\bimport\b[^\n]{0,200}\b(?:str|open)\b|\b(?:def|lambda)\b[^\n:]{0,200}(?<!->\s*)\b(?:str|open)\s*[,):]/

/**
 * Ruff does not say here which of its fixes are safe; these are, by its documentation, and were tried, some
 * only on conditions (python-meaning.ts). Not among them: `== None` (query builders and data frames overload
 * it) and unused imports (some are there for what they do when loaded).
 */
const safe: Readonly<Record<string, string>> = {
  F541: 'Dropped the f of a text without placeholders.',
  E703: 'Removed a useless semicolon.',
  E713: 'Used not in.',
  E714: 'Used is not.',
  C400: 'Used a list comprehension.',
  C401: 'Used a set comprehension.',
  C402: 'Used a dictionary comprehension.',
  C403: 'Used a set comprehension.',
  C404: 'Used a dictionary comprehension.',
  C405: 'Wrote a set literal.',
  C411: 'Dropped a copy of a list.',
  C414: 'Dropped a double conversion.',
  SIM118: 'Looked the key up without keys().',
  SIM208: 'Dropped a double negation.',
  SIM910: 'Dropped the default None.',
  UP004: 'Dropped the base class object.',
  UP008: 'Called super without parameters.',
  UP015: 'Dropped the default mode of open.',
  UP032: 'Used an f-string.',
  UP034: 'Removed extra parentheses.',
  RUF010: 'Used a conversion flag in an f-string.',
  PIE790: 'Removed a needless pass.',
  PLR1711: 'Removed a return that does nothing.',
  PLR5501: 'Joined else and if.',
  RET505: 'Dropped the else after a return.'
}

const idOf = new Map(ruffRules.map((rule) => [rule.code, rule.id]))

function edits(text: string, _language: unknown, ruleIds: ReadonlySet<string>): Edit[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const offset = ({ row, column }: RuffEdit['start']): number =>
    Math.min((starts[row - 1] ?? text.length) + column - 1, text.length)

  const codes = new Set(Object.keys(safe).filter((code) => ruleIds.has(idOf.get(code)!)))
  const tree = parseTree(createSource(text), 'python', { isValid: true })
  const own =
    tree === null || rebindsBuiltin.test(text)
      ? []
      : [...parameterisedPython(tree), ...filesInWith(tree), ...joinedTexts(tree)]
  const linted = ruff.fixes(text, codes).flatMap(({ code, start, end, edits: own }) => {
    const group = {}
    const made = own
      // What Ruff quotes from a comment that was made unreadable must not come back.
      .filter((edit) => !/n0qa/.test(edit.text) || /n0qa/.test(text))
      .map(
        (edit): Edit => ({
          start: offset(edit.start),
          end: offset(edit.end),
          text: edit.text,
          ruleId: idOf.get(code)!,
          description: safe[code]!,
          group
        })
      )
    const losesComment =
      hashes(made.map((edit) => edit.text)) < hashes(made.map((edit) => text.slice(edit.start, edit.end)))
    return losesComment || !keepsMeaning(code, { start: offset(start), end: offset(end) }, tree) ? [] : made
  })
  return [...own.filter(({ ruleId }) => ruleIds.has(ruleId)), ...linted]
}

const hashes = (texts: readonly string[]): number => texts.join('').split('#').length

export const pythonEditor: Editor = {
  ruleIds: [
    ...Object.keys(safe).map((code) => idOf.get(code)!),
    'py/open-file-with-context-handler',
    'py/sql-injection',
    'py/string-building-in-loop'
  ],
  edits
}
