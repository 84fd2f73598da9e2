import ts from 'typescript'
import { functionWith } from './arguments.js'
import type { Language } from '@filewright/contracts'
import type { Entry } from './trace.js'
import type { LoadedCode, Run } from './machine.js'
import type { Mode } from './outside.js'
import type { ModuleText } from './module-text.js'

/** The input of a prover. */
export interface Case {
  code: string
  language: Language
  line: number
  module: ModuleText
  loaded: LoadedCode
  /** The module with marks around what the finding is about; null if its line has nothing to mark. */
  marked: string | null
  /** Entry points around the finding come first. */
  entries: readonly Entry[]
  /** One call in the marked code. */
  runMarked: (call: string, mode: Mode) => Promise<Run | null>
  /**
   * Runs one call again, in a fresh realm, and once more in a world that refuses the input wherever it is asked.
   * Null unless all of these runs show something that the expressions of the finding made.
   */
  confirm: <T>(call: string, shows: (run: Run) => T | null, modes?: readonly Mode[]) => Promise<T | null>
}

/** The line at which the code of an entry point begins. */
export function lineOf(
  { name, source }: Entry,
  { code, line, module }: Pick<Case, 'code' | 'line' | 'module'>
): number {
  const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length
  const own = functionWith(source, module.source)
  // The module is the code itself unless it was compiled, which changes whitespace and drops types.
  if (own !== undefined && module.js === code) return lineAt(code, own.getStart(module.source))
  const written = ts.createSourceFile('code.tsx', code, ts.ScriptTarget.Latest, true)
  const found: number[] = []
  const around: number[] = []
  const paramsOf = (node: ts.SignatureDeclaration): string =>
    node.parameters.map((parameter) => parameter.name.getText().replace(/\s/g, '')).join()
  const nameOf = (node: ts.Node): string =>
    (
      (node as Partial<ts.NamedDeclaration>).name ?? (node.parent as Partial<ts.NamedDeclaration>).name
    )?.getText() ?? ''
  const ownName = own === undefined ? '' : nameOf(own)
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const start = lineAt(code, node.getStart(written))
      const isNamed = nameOf(node) === ownName || nameOf(node) === name
      if (own !== undefined && isNamed && paramsOf(node) === paramsOf(own)) found.push(start)
      if (start <= line && lineAt(code, node.end) >= line) around.push(start)
    }
    ts.forEachChild(node, visit)
  }
  visit(written)
  return found[0] ?? around[0] ?? line
}
