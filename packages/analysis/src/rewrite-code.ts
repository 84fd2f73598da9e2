import type { Language } from '@filewright/contracts'
import { isOneOf, scriptLanguages } from './language-groups.js'
import { rules } from './registry/rules.js'
import { createSource } from './text/source.js'
import { applyEdits, type Editor, type PlacedFix } from './fix/edits.js'

/** Code on its way from the submitted code to the fixed one. */
export interface Rewritten {
  code: string
  /** Lines are those of the submitted code. */
  fixes: readonly PlacedFix[]
  /** For each line, from 0, the line of the submitted code that it stands for. */
  origins: readonly number[]
}

/** One fix may make room for another. */
const MAX_ROUNDS = 6
/** From `var` by way of `let` to `const` and a check that nothing is left. */
const MIN_ROUNDS = 3
/** Characters that the rounds of one rewrite may read: large code gets fewer rounds. */
const MAX_CHARS_READ = 1024 * 1024

export function asSubmitted(code: string): Rewritten {
  return { code, fixes: [], origins: createSource(code).lines.map((_, index) => index) }
}

/** Loaded for the language that is asked for, because parsers are large. */
export async function editorFor(language: Language): Promise<Editor> {
  if (isOneOf(language, scriptLanguages)) {
    return (await import('./languages/script/fixes/index.js')).scriptEditor
  }
  if (language === 'python') return (await import('./languages/python/fixes/index.js')).pythonEditor
  if (language === 'css') return (await import('./languages/css/fixes.js')).cssEditor
  return (await import('./registry/tree-editor.js')).treeEditor
}

/** The code with the fixes of these rules, round by round until nothing changes or the rounds run out. */
export function rewriteCode(
  from: Rewritten,
  language: Language,
  editor: Editor,
  ruleIds: ReadonlySet<string>
): Rewritten {
  let { code, origins } = from
  const fixes = [...from.fixes]
  const rounds = Math.max(MIN_ROUNDS, Math.min(MAX_ROUNDS, Math.floor(MAX_CHARS_READ / (code.length + 1))))
  for (let round = 0; round < rounds; round++) {
    const edited = applyEdits(code, editor.edits(code, language, ruleIds))
    if (edited.text === code) break
    const source = createSource(code)
    const submittedLine = (offset: number): number => (origins[source.lineAt(offset) - 1] ?? 0) + 1
    for (const { ruleId, description, ...edit } of edited.applied) {
      const changedLine = submittedLine(firstSign(code, edit))
      const isFaster = rules.find(({ id }) => id === ruleId)?.analysisType === 'performance'
      fixes.push({
        ruleId,
        line: edit.about === undefined ? changedLine : submittedLine(edit.about),
        changedLine,
        description,
        kind: isFaster ? 'optimize' : 'refactor'
      })
    }
    const before = origins
    origins = edited.origins.map((line) => before[line] ?? 0)
    code = edited.text
  }
  return { code, fixes, origins }
}

/**
 * Where the changed text begins: an edit that takes the end of the line before along is about its own line.
 */
function firstSign(text: string, { start, end }: { start: number; end: number }): number {
  const blank = /^\s*/.exec(text.slice(start, end))![0].length
  return blank < end - start ? start + blank : start
}
