import type { TreeLanguage } from '../tree/languages.js'
import type { TreeNode } from '../tree/tree.js'
import type { Statement } from './form.js'
import { lowerGo } from './go/lower.js'
import { goTables } from './go/tables.js'
import { lowerJava } from './java/lower.js'
import { javaTables } from './java/tables.js'
import { lowerPython } from './python/lower.js'
import { pythonTables } from './python/tables.js'
import { lowerRust } from './rust/lower.js'
import { rustTables } from './rust/tables.js'
import { compile, type CompiledTables } from './tables.js'

/** How a language with a tree is brought into the form, and what is known about its libraries. */
export interface Flow {
  readonly lower: (root: TreeNode) => Statement[]
  readonly tables: CompiledTables
}

const flows: Partial<Record<TreeLanguage, Flow>> = {
  go: { lower: lowerGo, tables: compile(goTables) },
  java: { lower: lowerJava, tables: compile(javaTables) },
  python: { lower: lowerPython, tables: compile(pythonTables) },
  rust: { lower: lowerRust, tables: compile(rustTables) }
}

export function flowOf(language: TreeLanguage): Flow | null {
  return flows[language] ?? null
}
