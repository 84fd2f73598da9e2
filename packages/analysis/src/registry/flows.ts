import type { TreeLanguage } from '../tree/languages.js'
import type { TreeNode } from '../tree/tree.js'
import type { Statement } from '../flow/form.js'
import { lowerGo } from '../languages/go/flow/lower.js'
import { goTables } from '../languages/go/flow/tables.js'
import { goApiRules } from '../languages/go/rules/apis.js'
import { lowerJava } from '../languages/java/flow/lower.js'
import { javaTables } from '../languages/java/flow/tables.js'
import { javaApiRules } from '../languages/java/rules/apis.js'
import { lowerPython } from '../languages/python/flow/lower.js'
import { pythonTables } from '../languages/python/flow/tables.js'
import { pythonApiRules } from '../languages/python/rules/apis.js'
import { lowerRust } from '../languages/rust/flow/lower.js'
import { rustTables } from '../languages/rust/flow/tables.js'
import { compile, type CompiledTables } from '../flow/tables.js'

/** How a language with a tree is brought into the form, and what is known about its libraries. */
export interface Flow {
  readonly lower: (root: TreeNode) => Statement[]
  readonly tables: CompiledTables
}

const flows: Partial<Record<TreeLanguage, Flow>> = {
  go: { lower: lowerGo, tables: compile(goTables, goApiRules) },
  java: { lower: lowerJava, tables: compile(javaTables, javaApiRules) },
  python: { lower: lowerPython, tables: compile(pythonTables, pythonApiRules) },
  rust: { lower: lowerRust, tables: compile(rustTables) }
}

export function flowOf(language: TreeLanguage): Flow | null {
  return flows[language] ?? null
}
