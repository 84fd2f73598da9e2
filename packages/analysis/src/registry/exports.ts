import type { Language } from '@filewright/contracts'
import { isOneOf, scriptLanguages } from '../language-groups.js'
import type { ScriptNode } from '../languages/script/nodes.js'
import { createSource } from '../text/source.js'
import type { Tree } from '../tree/tree.js'
import { scriptExports } from '../languages/script/exports.js'
import { goExports } from '../languages/go/exports.js'
import { javaExports } from '../languages/java/exports.js'
import { pythonExports } from '../languages/python/exports.js'
import { rustExports } from '../languages/rust/exports.js'
import type { ExportedSignature } from '../exports/types.js'

const readers: Partial<Record<Language, (tree: Tree) => ExportedSignature[]>> = {
  python: pythonExports,
  go: goExports,
  java: javaExports,
  rust: rustExports
}

/**
 * What the code offers to others: its exported, public or, in code that marks nothing, top-level
 * declarations. Null where we cannot tell.
 */
export async function exportsOf(code: string, language: Language): Promise<ExportedSignature[] | null> {
  const source = createSource(code)
  try {
    if (isOneOf(language, scriptLanguages)) {
      const { readScript } = await import('../languages/script/read.js')
      const { code: read } = readScript(source, language)
      if (read === null) return null
      return scriptExports(read.sourceCode.ast as unknown as ScriptNode, (node) =>
        source.text.slice(node.range[0], node.range[1])
      )
    }
    const read = readers[language]
    if (read === undefined) return null
    const { parseTree } = await import('../tree/tree.js')
    const tree = parseTree(source, language as 'python' | 'go' | 'java' | 'rust')
    return tree === null ? null : read(tree)
  } catch {
    return null
  }
}
