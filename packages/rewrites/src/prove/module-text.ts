import ts from 'typescript'
import type { Language } from '@filewright/contracts'
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

/** Global functions that are called before and after an expression of the finding. */
export const ENTER = '__enter'
export const LEAVE = '__leave'
/** Gets the list and the index of each element that the finding's statement reads. */
export const ELEMENT = '__element'
/** Gets what the finding's line runs as code. */
export const CODE = '__code'
/** Gets the patterns that the finding's line makes of texts. */
export const PATTERN = '__pattern'

/** The whole expressions that a node evaluates itself. */
function expressionsOf(node: ts.Node): Array<ts.Expression | undefined> {
  if (ts.isExpressionStatement(node)) return ts.isStringLiteral(node.expression) ? [] : [node.expression]
  if (ts.isArrowFunction(node)) return ts.isBlock(node.body) ? [] : [node.body]
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) return [node.initializer]
  if (ts.isForStatement(node)) return [node.condition, node.incrementor]
  const hasExpression =
    ts.isReturnStatement(node) ||
    ts.isIfStatement(node) ||
    ts.isWhileStatement(node) ||
    ts.isDoStatement(node) ||
    ts.isSwitchStatement(node) ||
    ts.isForOfStatement(node) ||
    ts.isForInStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isExportAssignment(node)
  return hasExpression ? [node.expression] : []
}

interface Marked {
  node: ts.Expression
  /** Otherwise it is a part of one that is, on other lines. */
  isOfLine: boolean
}

/**
 * The expressions that begin on a line, and else the innermost one that has it; and what functions in them
 * evaluate on other lines.
 */
function expressionsAt(source: ts.SourceFile, line: number): Marked[] {
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1
  const onLine: ts.Expression[] = []
  let around: ts.Expression | undefined
  let isOwn = false
  const visit = (node: ts.Node, isAround: boolean): void => {
    if (lineAt(node.getStart(source)) > line || lineAt(node.end) < line) return
    const isInCallback = isAround || (ts.isFunctionLike(node) && lineAt(node.getStart(source)) === line)
    for (const expression of expressionsOf(node)) {
      if (expression === undefined || ts.isFunctionLike(expression) || ts.isClassLike(expression)) continue
      const first = lineAt((isPattern(expression.parent) ? expression.parent : expression).getStart(source))
      if (first === line) {
        onLine.push(expression)
        isOwn ||= !isInCallback
      } else if (first < line && lineAt(expression.end) >= line) around = expression
    }
    ts.forEachChild(node, (child) => visit(child, isInCallback))
  }
  visit(source, false)
  // A callback on the line is a part of the expression around it.
  const ofLine = isOwn || around === undefined ? onLine : [around, ...onLine]
  const elsewhere = new Set<ts.Expression>()
  const collect = (node: ts.Node): void => {
    for (const expression of expressionsOf(node)) {
      if (expression === undefined || ts.isFunctionLike(expression) || ts.isClassLike(expression)) continue
      const isAway = lineAt(expression.getStart(source)) > line || lineAt(expression.end) < line
      if (isAway) elsewhere.add(expression)
    }
    ts.forEachChild(node, collect)
  }
  for (const expression of ofLine) ts.forEachChild(expression, collect)
  return [
    ...ofLine.map((node) => ({ node, isOfLine: true })),
    ...[...elsewhere].map((node) => ({ node, isOfLine: false }))
  ]
}

/** The arguments on a line that `eval`, `Function`, `vm` and timers run as code. */
function codeAt(source: ts.SourceFile, line: number): ts.Expression[] {
  const found: ts.Expression[] = []
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1
  const visit = (node: ts.Node): void => {
    if (lineAt(node.getStart(source)) > line || lineAt(node.end) < line) return
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const callee = node.expression.getText(source)
      const isFunction = /^(?:global(?:This)?\.|window\.)?Function$/.test(callee)
      const isCode =
        isFunction || /^(?:\(0, ?)?eval\)?$|\.eval$|(?:runIn\w+|Script|setTimeout|setInterval)$/.test(callee)
      const text = isFunction ? node.arguments?.at(-1) : node.arguments?.[0]
      const isText = text !== undefined && !ts.isFunctionLike(text) && !ts.isSpreadElement(text)
      if (isCode && isText) found.push(text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The arguments on a line of which `RegExp` makes a pattern, other than strings. */
export function madePatternsAt(source: ts.SourceFile, line: number): ts.Expression[] {
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
      const isHere = source.getLineAndCharacterOfPosition(node.getStart(source)).line === line - 1
      const [first] = node.arguments ?? []
      const isMade = first !== undefined && !ts.isStringLiteralLike(first) && !ts.isSpreadElement(first)
      if (isHere && isMade && node.expression.getText(source) === 'RegExp') found.push(first)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Reads of elements by the statement that begins on a line, where the list is a name or a property. */
function elementsAt(source: ts.SourceFile, line: number): ts.ElementAccessExpression[] {
  const found: ts.ElementAccessExpression[] = []
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1
  const isWritten = ({ parent, pos }: ts.Node): boolean =>
    ts.isDeleteExpression(parent) ||
    (ts.isCallExpression(parent) && parent.expression.pos === pos) ||
    (ts.isBinaryExpression(parent) &&
      parent.left.pos === pos &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
  const visit = (node: ts.Node, isInside: boolean): void => {
    if (lineAt(node.end) < line) return
    const isStatement = isInside || (ts.isStatement(node) && lineAt(node.getStart(source)) === line)
    if (isStatement && ts.isElementAccessExpression(node) && !isWritten(node)) {
      if (/^[\w$.]+$/.test(node.expression.getText(source))) found.push(node)
    }
    ts.forEachChild(node, (child) => visit(child, isStatement))
  }
  visit(source, false)
  return found
}

/**
 * The module with marks around the expressions of a line, so that a run can tell what they did. Null if the line
 * has none.
 */
export function markLine(module: ModuleText, code: string, language: Language, line: number): string | null {
  const source = parseScript(code, language)
  const marks = expressionMarks(source, line)
  if (marks.length === 0) return null
  for (const node of codeAt(source, line)) {
    marks.push({ at: node.getStart(source), text: `globalThis.${CODE}(` }, { at: node.end, text: ')' })
  }
  for (const node of madePatternsAt(source, line)) {
    marks.push({ at: node.getStart(source), text: `globalThis.${PATTERN}(` }, { at: node.end, text: ')' })
  }
  marks.push(...elementMarks(source, line))
  return changedModule(module, withMarks(code, marks), language)
}

interface Mark {
  at: number
  text: string
}

const expressionMarks = (source: ts.SourceFile, line: number): Mark[] =>
  expressionsAt(source, line).flatMap(({ node, isOfLine }) => {
    // The elements are taken inside of the marks.
    const [before, after] = isPattern(node.parent) ? ['[...(', ')]'] : ['', '']
    return [
      { at: node.getStart(source), text: `globalThis.${LEAVE}(globalThis.${ENTER}(${isOfLine}), (${before}` },
      { at: node.end, text: `${after}${ts.isExpressionStatement(node.parent) ? '), true)' : '))'}` }
    ]
  })

const isPattern = (node: ts.Node): boolean =>
  ts.isVariableDeclaration(node) && ts.isArrayBindingPattern(node.name)

const elementMarks = (source: ts.SourceFile, line: number): Mark[] =>
  elementsAt(source, line).flatMap(({ expression, argumentExpression: index }) => [
    { at: index.getStart(source), text: `globalThis.${ELEMENT}(${expression.getText(source)}, ` },
    { at: index.end, text: ')' }
  ])

function withMarks(code: string, marks: readonly Mark[]): string {
  let marked = ''
  let done = 0
  // At one place, what was found later is inside.
  for (const { at, text } of marks.toSorted((a, b) => a.at - b.at)) {
    marked += code.slice(done, at) + text
    done = at
  }
  return marked + code.slice(done)
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
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The compiler drops types, and keeps functions in their order. So their parameters are read where types are declared. */
function declaredParams(
  code: string,
  language: Language,
  compiled: ts.SourceFile,
  used: CodeShapes
): CodeShapes['paramsOf'] {
  const source = parseScript(withoutShebang(code), language)
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
  const shapes = js === code ? used : { ...used, paramsOf: declaredParams(code, language, source, used) }
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
  return { js, text: wrapped(js, { free, names }), free, names, source, shapes }
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
