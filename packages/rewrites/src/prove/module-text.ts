import ts from 'typescript'
import type { Language } from '@filewright/contracts'
import { declaredBy, parseScript } from '../run/targets.js'
import { transpile } from '../run/transpile.js'
import { readShapes, type CodeShapes } from '../run/use-shapes.js'

export interface ModuleText {
  /** The code as a CommonJS module. */
  js: string
  /** The module as a function. Its parameters are the names that Node.js and the environment provide. */
  text: string
  /** Names that the code uses and does not declare. Each is passed as an argument. */
  free: string[]
  /** Names that the code declares at the top level. */
  names: string[]
  source: ts.SourceFile
  shapes: CodeShapes
}

/** Built-in names of the language that the shapes do not cover. */
const ofLanguage = new Set('escape unescape Buffer'.split(' '))
const ofNode =
  'console process setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate global'.split(
    ' '
  )
const ofModules = new Set(['exports', 'require', 'module', '__filename', '__dirname'])

const isModuleSyntax = (statement: ts.Statement): boolean =>
  ts.isImportDeclaration(statement) ||
  ts.isExportDeclaration(statement) ||
  ts.isExportAssignment(statement) ||
  (ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true)

/** A global variable that is set when the function around a finding is called. */
export const REACHED = '__reached'

/**
 * The module with a statement that records calls of the innermost function around a line. Unchanged if there
 * is no such function.
 */
export function noteReached({ js, text, source }: ModuleText, code: string, line: number): string | null {
  const lines = code.split('\n')
  const written = lines[line - 1] ?? ''
  const at = js === code ? lines.slice(0, line - 1).join('\n').length + 1 : js.indexOf(written.trim())
  if (written.trim() === '' || at === -1) return null
  const start = at + (js === code ? written.length - written.trimStart().length : 0)
  let body: ts.Block | undefined
  const visit = (node: ts.Node): void => {
    if (start < node.pos || start >= node.end) return
    const own = ts.isFunctionLike(node) && 'body' in node ? node.body : undefined
    if (own !== undefined && ts.isBlock(own)) body = own
    ts.forEachChild(node, visit)
  }
  visit(source)
  if (body === undefined) return null
  const cut = text.indexOf(js) + body.getStart(source) + 1
  return `${text.slice(0, cut)}globalThis.${REACHED} = true;${text.slice(cut)}`
}

/** Null where the code cannot be a module. */
export function toModule(code: string, language: Language): ModuleText | null {
  const js = toCommonJs(code.replace(/^#!.*/, ''), language)
  if (js === null) return null
  const source = parseScript(js, 'javascript')
  const shapes = readShapes(source)
  const declared = new Set(source.statements.flatMap((each) => declaredBy(each).split(' ')))
  const words = new Set(js.match(/[\w$]+/g))
  const free = [
    ...ofNode.filter((name) => words.has(name) && !declared.has(name)),
    ...[...shapes.free.keys()].filter(
      (name) =>
        !ofNode.includes(name) && !ofModules.has(name) && !ofLanguage.has(name) && /^[\w$]+$/.test(name)
    )
  ]
  declared.delete('')
  const params = [...ofModules, ...free].join(', ')
  // A name that is declared but never assigned must not fail the whole module.
  const text = `(function (${params}) {\n${js}\n;return { ${[...declared].join(', ')} } })`
  return { js, text, free, names: [...declared], source, shapes }
}

function toCommonJs(code: string, language: Language): string | null {
  const source = parseScript(code, language)
  const isPlain =
    language === 'javascript' &&
    !source.statements.some(isModuleSyntax) &&
    !/<\/|\/>|\bimport\s*[({.]/.test(code)
  return isPlain ? code : transpile(code, language)
}
