import ts from 'typescript'
import type { Language } from '@filewright/contracts'
import { elementMarks, expressionMarks, lineMarks, withMarks } from './marks.js'
import { declaredBy, parseScript } from '../run/targets.js'
import { sourceMapOf, transpile } from '../run/transpile.js'
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
  /** Names of methods that are declared private or protected. */
  hidden: ReadonlySet<string>
  /** Names of functions with overloads: not every combination of values that their parameters allow is one. */
  overloaded: ReadonlySet<string>
}

/** Built-in names of the language that the shapes do not cover. */
const ofLanguage = new Set('escape unescape'.split(' '))
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

/**
 * The module with marks around the expressions of a line, so that a run can tell what they did. Null if the line
 * has none.
 */
export function markLine(module: ModuleText, code: string, language: Language, line: number): string | null {
  const source = parseScript(code, language)
  const marks = lineMarks(source, line)
  return marks.length === 0 ? null : changedModule(module, withMarks(code, marks), language)
}

/** The module in which only the elements that a statement reads, or only its expressions, are marked. */
export function withSomeMarks(
  module: ModuleText,
  code: string,
  language: Language,
  line: number,
  what: 'elements' | 'expressions'
): ModuleText {
  const marks = what === 'elements' ? elementMarks : expressionMarks
  const marked = withMarks(code, marks(parseScript(code, language), line))
  const js = toCommonJs(withoutShebang(marked), language)
  return js === null ? module : { ...module, js }
}

/** The text of a module whose code was changed without a new name. */
export function changedModule(module: ModuleText, code: string, language: Language): string | null {
  const js = toCommonJs(withoutShebang(code), language)
  return js === null ? null : wrapped(js, module)
}

/** `#!` would not be a comment inside of a function. */
const withoutShebang = (code: string): string => code.replace(/^#!.*/, '')

/** Every name that is declared at the top level, also by a pattern. */
function namesOf(source: ts.SourceFile): Set<string> {
  const names = new Set(source.statements.flatMap((each) => declaredBy(each).split(' ')))
  const bind = (name: ts.BindingName): void => {
    if (ts.isIdentifier(name)) names.add(name.text)
    else for (const part of name.elements) if (ts.isBindingElement(part)) bind(part.name)
  }
  for (const each of source.statements) {
    if (ts.isVariableStatement(each)) each.declarationList.declarations.forEach(({ name }) => bind(name))
  }
  names.delete('')
  return names
}

/** A name that is declared but never assigned must not fail the whole module. */
const wrapped = (js: string, { free, names }: Pick<ModuleText, 'free' | 'names'>): string =>
  `(function (${[...ofModules, ...free].join(', ')}) {\n${js}\n;return { ${names.join(', ')} } })`

/** Functions with a body, in order, without the helpers of the compiler. */
function functionsIn(source: ts.SourceFile): ts.SignatureDeclaration[] {
  const found: ts.SignatureDeclaration[] = []
  const visit = (node: ts.Node): void => {
    const isHelper =
      ts.isVariableDeclaration(node) &&
      /^__(?:import|create|set|export|decorate|param|rest)/.test(node.name.getText(source))
    if (isHelper) return
    const ofEnum = ts.isCallExpression(node) ? functionOfEnum(node) : null
    if (ofEnum !== null) return ts.forEachChild(ofEnum.body, visit)
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** `(function (Status) { … })(Status || (Status = {}))`, which the compiler makes of enums and namespaces. */
function functionOfEnum({ expression, arguments: [first] }: ts.CallExpression): ts.FunctionExpression | null {
  const made = ts.isParenthesizedExpression(expression) ? expression.expression : expression
  if (!ts.isFunctionExpression(made) || first === undefined || !ts.isBinaryExpression(first)) return null
  const isOr = first.operatorToken.kind === ts.SyntaxKind.BarBarToken
  return isOr && made.parameters[0]?.name.getText() === first.left.getText() ? made : null
}

function limitedIn(source: ts.SourceFile): Pick<ModuleText, 'hidden' | 'overloaded'> {
  const hidden = new Set<string>()
  const overloaded = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) {
      const name = node.name?.getText(source) ?? 'default'
      const isHidden = ({ kind }: ts.ModifierLike): boolean =>
        kind === ts.SyntaxKind.PrivateKeyword || kind === ts.SyntaxKind.ProtectedKeyword
      if (node.modifiers?.some(isHidden) === true) hidden.add(name)
      if (node.body === undefined) overloaded.add(name)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { hidden, overloaded }
}

/**
 * The compiler drops types, and keeps functions in their order. So their parameters are read where types are
 * declared.
 */
function declaredParams(
  source: ts.SourceFile,
  compiled: ts.SourceFile,
  used: CodeShapes
): CodeShapes['paramsOf'] {
  const [written, made] = [functionsIn(source), functionsIn(compiled)]
  if (written.length !== made.length) return used.paramsOf
  const shapes = readShapes(source)
  const originals = new Map(made.map((node, index) => [node, written[index]!]))
  return (node) => {
    const original = originals.get(node)
    if (original === undefined) return used.paramsOf(node)
    // A function that expects a certain `this` gets none here.
    if (original.parameters[0]?.name.getText(source) === 'this') return used.paramsOf(node)
    const params = shapes.paramsOf(original)
    return params.length === node.parameters.length ? params : used.paramsOf(node)
  }
}

/** Null where the code cannot be a module. */
export function toModule(code: string, language: Language): ModuleText | null {
  const js = toCommonJs(withoutShebang(code), language)
  if (js === null) return null
  const source = parseScript(js, 'javascript')
  const used = readShapes(source)
  const written = js === code ? source : parseScript(withoutShebang(code), language)
  const shapes = js === code ? used : { ...used, paramsOf: declaredParams(written, source, used) }
  const declared = namesOf(source)
  const words = new Set(js.match(/[\w$]+/g))
  const free = [
    ...ofNode.filter((name) => words.has(name) && !declared.has(name)),
    ...[...shapes.free.keys()].filter(
      (name) =>
        // A parameter of the name of a constant would be a syntax error.
        !declared.has(name) &&
        !ofNode.includes(name) &&
        !ofModules.has(name) &&
        !ofLanguage.has(name) &&
        /^[\w$]+$/.test(name)
    )
  ]
  const names = [...declared]
  return { js, text: wrapped(js, { free, names }), free, names, source, shapes, ...limitedIn(written) }
}

/** The line of the code that threw; null where something outside it did. */
export function thrownAt(
  { stack }: { stack: string },
  module: ModuleText,
  code: string,
  language: Language
): number | null {
  const [, line, column] = /<input>:(\d+):(\d+)/.exec(stack) ?? []
  // The call itself has one line, and so has the head of the module.
  if (line === undefined || line === '1') return null
  return writtenLine(module, code, language, Number(line) - 1, Number(column))
}

/** The line of the code from which a line of the module comes. */
function writtenLine(
  { js }: ModuleText,
  code: string,
  language: Language,
  line: number,
  column: number
): number | null {
  if (js === code) return line
  const map = sourceMapOf(withoutShebang(code), language)
  const found = map?.findEntry(line - 1, column - 1)
  return found !== undefined && 'originalLine' in found ? found.originalLine + 1 : null
}

function toCommonJs(code: string, language: Language): string | null {
  const source = parseScript(code, language)
  const isPlain =
    language === 'javascript' &&
    !source.statements.some(isModuleSyntax) &&
    !/<\/|\/>|\bimport\s*[({.]/.test(code)
  return isPlain ? code : transpile(code, language)
}
