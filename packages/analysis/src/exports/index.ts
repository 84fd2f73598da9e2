import { isOneOf, scriptLanguages, type Language } from '../languages.js'
import { lintScript } from '../script/lint.js'
import type { ScriptNode } from '../script/nodes.js'
import { createSource } from '../text/source.js'
import { parseTree, type Tree } from '../tree/tree.js'
import { scriptExports } from './script.js'
import { goExports, javaExports, pythonExports, rustExports } from './tree.js'
import type { ExportedSignature } from './types.js'

const readers: Partial<Record<Language, (tree: Tree) => ExportedSignature[]>> = { python: pythonExports, go: goExports, java: javaExports, rust: rustExports }

/** What the code offers to others: its exported, public or, in code that marks nothing, top-level declarations. Null where we cannot tell. */
export async function exportsOf (code: string, language: Language): Promise<ExportedSignature[] | null> {
  const source = createSource(code)
  try {
    if (isOneOf(language, scriptLanguages)) {
      const { sourceCode } = lintScript(source, language, [], () => {})
      if (sourceCode === null) return null
      return scriptExports(sourceCode.ast as unknown as ScriptNode, (node) => source.text.slice(node.range[0], node.range[1]))
    }
    const read = readers[language]
    const tree = read === undefined ? null : parseTree(source, language as 'python' | 'go' | 'java' | 'rust')
    return read === undefined || tree === null ? null : read(tree)
  } catch {
    return null
  }
}

export interface ExportsComparison {
  kept: boolean
  /** Names that are gone. */
  missing: string[]
  /** Names whose parameters or result differ. */
  changed: string[]
}

/** Whether all that `before` offers is still there, called in the same way. New names are no harm; null tells nothing and compares as kept. */
export function compareExports (before: readonly ExportedSignature[] | null, after: readonly ExportedSignature[] | null): ExportsComparison {
  if (before === null || after === null) return { kept: true, missing: [], changed: [] }
  const bySignature = (list: readonly ExportedSignature[], name: string): string =>
    list.filter((each) => each.name === name && each.signature !== '').map((each) => each.signature).sort().join('|')
  const names = [...new Set(before.map(({ name }) => name))]
  const missing = names.filter((name) => !after.some((each) => each.name === name))
  const changed = names.filter((name) => !missing.includes(name) && bySignature(before, name) !== bySignature(after, name))
  return { kept: missing.length === 0 && changed.length === 0, missing, changed }
}
