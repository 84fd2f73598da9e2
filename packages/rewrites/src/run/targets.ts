import ts from 'typescript'
import type { Language } from '@filewright/contracts'
import { withNodeBudget } from '@filewright/analysis/parsing'

const kinds: Partial<Record<Language, ts.ScriptKind>> = {
  javascript: ts.ScriptKind.JSX,
  jsx: ts.ScriptKind.JSX,
  typescript: ts.ScriptKind.TS,
  tsx: ts.ScriptKind.TSX
}

export function parseScript(code: string, language: Language): ts.SourceFile {
  const kind = kinds[language] ?? ts.ScriptKind.JSX
  return withNodeBudget(code, () => ts.createSourceFile('code', code, ts.ScriptTarget.Latest, true, kind))
}

type Callable = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction | ts.MethodDeclaration

export interface Target {
  /** The unit of the code that it is part of, under the name that `unitsOf` gives it. */
  unit: string
  /** Where it is found once the code has loaded; `^` begins what has to be kept for that. */
  access: string
  node: Callable | ts.ClassLikeDeclaration
}

function isFunction(node: ts.Node | undefined): node is ts.FunctionExpression | ts.ArrowFunction {
  return node !== undefined && (ts.isFunctionExpression(node) || ts.isArrowFunction(node))
}

function bare(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)
    ? bare(node.expression)
    : node
}

const maxNameChars = 60
const plain = (text: string): string => text.replace(/\s+/g, ' ').slice(0, maxNameChars)

/**
 * Functions and classes at the top of the code, those in its objects, static methods, and functions that the
 * code hands to others while it loads: to a wrapper, or to a function that is called at once.
 */
export function targetsIn(source: ts.SourceFile): Target[] {
  const found: Target[] = []
  const counts = new Map<string, number>()
  const declared = new Set(source.statements.flatMap((each) => declaredBy(each).split(' ')))
  let handlers = 0

  /** Two statements of one name are told apart by their number. */
  function unitOf(base: string): string {
    const count = (counts.get(base) ?? 0) + 1
    counts.set(base, count)
    return count === 1 ? base : `${base} #${count}`
  }

  function value(unit: string, access: string, given: ts.Expression | undefined): void {
    if (given === undefined) return
    const node = bare(given)
    if (isFunction(node)) found.push({ unit, access, node })
    else if (ts.isClassExpression(node)) classLike(unit, access, node)
    else if (ts.isObjectLiteralExpression(node)) object(unit, access, node)
    else {
      const inner = ts.isCallExpression(node) ? node.arguments.find(isFunction) : undefined
      // A wrapper of the code itself is run, too. One of somebody else is a stand-in.
      if (
        ts.isCallExpression(node) &&
        isFunction(inner) &&
        ts.isIdentifier(node.expression) &&
        declared.has(node.expression.text)
      ) {
        found.push({ unit, access, node: inner })
      }
      handed(unit, node)
    }
  }

  function object(unit: string, access: string, node: ts.ObjectLiteralExpression): void {
    for (const each of node.properties) {
      if (each.name === undefined || !ts.isIdentifier(each.name)) continue
      const path = `${access}.${each.name.text}`
      if (ts.isMethodDeclaration(each)) found.push({ unit, access: path, node: each })
      else if (ts.isPropertyAssignment(each)) value(unit, path, each.initializer)
    }
  }

  function classLike(unit: string, access: string, node: ts.ClassLikeDeclaration): void {
    found.push({ unit, access, node })
    for (const member of node.members) {
      if (!ts.isIdentifier(member.name ?? node) || !isStatic(member)) continue
      const path = `${access}.${(member.name as ts.Identifier).text}`
      if (ts.isMethodDeclaration(member) && member.body !== undefined) {
        found.push({ unit, access: path, node: member })
      } else if (ts.isPropertyDeclaration(member)) value(unit, path, member.initializer)
    }
  }

  /** Functions inside an expression that runs while the code loads. */
  function handed(unit: string, root: ts.Node): void {
    let count = 0
    const keep = (node: Callable): void => {
      found.push({ unit, access: `^${unit}:${node.name?.getText(source) ?? count++}`, node })
    }
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && isFunction(bare(node.expression))) {
        const { body } = bare(node.expression) as ts.FunctionExpression
        if (ts.isBlock(body)) for (const each of body.statements) inside(each)
        else visit(body)
        node.arguments.forEach(visit)
      } else if (isFunction(node)) keep(node)
      else if (!ts.isFunctionLike(node) && !ts.isClassLike(node)) ts.forEachChild(node, visit)
    }
    const inside = (statement: ts.Statement): void => {
      if (ts.isFunctionDeclaration(statement)) {
        if (statement.body !== undefined && statement.name !== undefined) keep(statement)
      } else visit(statement)
    }
    visit(root)
  }

  function expression(node: ts.Expression): void {
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const left = node.left.getText(source)
      const own = /^(?:module\.)?exports(\.\w+)?$/.exec(left)
      const unit = unitOf(plain(left))
      if (own !== null) value(unit, `module.exports${own[1] ?? ''}`, node.right)
      else if (/^[\w$]+(?:\.[\w$]+)+$/.test(left) && declared.has(left.split('.')[0]!)) {
        value(unit, left, node.right)
      }
    } else if (ts.isCallExpression(node)) {
      const [first] = node.arguments
      const name = first !== undefined && ts.isStringLiteral(first) ? first.text : ''
      const unit = unitOf(`${plain(node.expression.getText(source))}(${name})`)
      if (isFunction(bare(node.expression))) return handed(unit, node)
      for (const each of node.arguments) {
        if (isFunction(each)) found.push({ unit, access: `#${handlers++}`, node: each })
      }
    } else unitOf(plain(node.getText(source)))
  }

  for (const statement of source.statements) {
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
      const name = statement.name?.text
      if (ts.isFunctionDeclaration(statement) && statement.body === undefined) continue
      const [unit, access] = [unitOf(name ?? 'default'), name ?? 'module.exports.default']
      if (ts.isClassDeclaration(statement)) classLike(unit, access, statement)
      else found.push({ unit, access, node: statement })
    } else if (ts.isVariableStatement(statement)) {
      const list = statement.declarationList.declarations
      const unit = unitOf(list.map(({ name }) => plain(name.getText(source))).join(', '))
      for (const each of list) if (ts.isIdentifier(each.name)) value(unit, each.name.text, each.initializer)
    } else if (ts.isExportAssignment(statement)) {
      value(unitOf('default'), 'module.exports.default', statement.expression)
    } else if (ts.isExpressionStatement(statement)) expression(bare(statement.expression))
  }
  return found
}

function isStatic(member: ts.ClassElement): boolean {
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : []
  return (
    modifiers.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) &&
    !modifiers.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)
  )
}

/** Whether a text speaks of a changed part of the code, or of one that does. */
export function createReach(before: string, after: string, language: Language): (text: string) => boolean {
  const texts = (code: string): Map<string, string> => {
    const source = parseScript(code, language)
    return new Map(source.statements.map((statement) => [statement.getText(source), declaredBy(statement)]))
  }
  const [old, now] = [texts(before), texts(after)]
  const differing = [...old].filter(([text]) => !now.has(text))
  const names = new Set(differing.flatMap(([, name]) => (name === '' ? [] : name.split(' '))))
  const speaks = (text: string): boolean =>
    (text.match(/[A-Za-z_$][\w$]*/g) ?? []).some((word) => names.has(word))
  for (let size = -1; size !== names.size; ) {
    size = names.size
    for (const [text, name] of old) {
      if (name !== '' && speaks(text)) for (const each of name.split(' ')) names.add(each)
    }
  }
  const changedTexts = differing.map(([text]) => text)
  return (text) => speaks(text) || changedTexts.some((each) => each.includes(text))
}

/** The names that a statement declares, with a space between them. */
export function declaredBy(statement: ts.Statement): string {
  if (
    (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) &&
    statement.name !== undefined
  ) {
    return statement.name.text
  }
  if (!ts.isVariableStatement(statement)) return ''
  return statement.declarationList.declarations
    .flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
    .join(' ')
}
