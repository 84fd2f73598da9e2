import ts from 'typescript'
import type { Language } from '@filewright/contracts'
import type { Plan, PlannedTarget } from './plan.js'
import { withNodeBudget } from '../script/node-budget.js'
import { toPlain } from './shape.js'
import { readShapes, type CodeShapes } from './use-shapes.js'

export interface Runnable {
  plan: Plan
  /**
   * For each target of the plan the unit of the code that it is part of, under the name that `unitsOf` gives
   * it.
   */
  units: string[]
}

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

function isFunction(node: ts.Node | undefined): node is ts.FunctionExpression | ts.ArrowFunction {
  return node !== undefined && (ts.isFunctionExpression(node) || ts.isArrowFunction(node))
}

interface Target {
  unit: string
  access: string
  node: Callable | ts.ClassLikeDeclaration
}

/** Functions and classes at the top of the code, and functions in its objects. */
function targetsIn(source: ts.SourceFile): Target[] {
  const found: Target[] = []
  let handlers = 0

  function value(unit: string, access: string, node: ts.Expression | undefined): void {
    if (node === undefined) return
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
      return value(unit, access, node.expression)
    }
    if (isFunction(node) || ts.isClassExpression(node)) found.push({ unit, access, node })
    if (!ts.isObjectLiteralExpression(node)) return
    for (const each of node.properties) {
      if (each.name === undefined || !ts.isIdentifier(each.name)) continue
      const path = `${access}.${each.name.text}`
      if (ts.isMethodDeclaration(each)) found.push({ unit, access: path, node: each })
      else if (ts.isPropertyAssignment(each)) value(unit, path, each.initializer)
    }
  }

  function expression(node: ts.Expression): void {
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const left = node.left.getText(source)
      const own = /^(?:module\.)?exports(\.\w+)?$/.exec(left)
      if (own !== null) value(left, `module.exports${own[1] ?? ''}`, node.right)
    } else if (ts.isCallExpression(node)) {
      const [first] = node.arguments
      const unit = `${node.expression.getText(source)}(${first !== undefined && ts.isStringLiteral(first) ? first.text : ''})`
      for (const each of node.arguments) {
        if (isFunction(each)) found.push({ unit, access: `#${handlers++}`, node: each })
      }
    }
  }

  for (const statement of source.statements) {
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
      const name = statement.name?.text
      found.push({ unit: name ?? 'default', access: name ?? 'module.exports.default', node: statement })
    } else if (ts.isVariableStatement(statement)) {
      const list = statement.declarationList.declarations
      const unit = list.map(({ name }) => name.getText(source)).join(', ')
      for (const each of list) if (ts.isIdentifier(each.name)) value(unit, each.name.text, each.initializer)
    } else if (ts.isExportAssignment(statement)) {
      value('default', 'module.exports.default', statement.expression)
    } else if (ts.isExpressionStatement(statement)) expression(statement.expression)
  }
  return found
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

function declaredBy(statement: ts.Statement): string {
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

function methodsOf(node: ts.ClassLikeDeclaration, shapes: CodeShapes): PlannedTarget['methods'] {
  return node.members.flatMap((member) => {
    if (
      (!ts.isMethodDeclaration(member) && !ts.isGetAccessor(member)) ||
      !ts.isIdentifier(member.name) ||
      member.body === undefined
    ) {
      return []
    }
    const isHidden =
      member.modifiers?.some(
        ({ kind }) =>
          kind === ts.SyntaxKind.PrivateKeyword ||
          kind === ts.SyntaxKind.ProtectedKeyword ||
          kind === ts.SyntaxKind.StaticKeyword
      ) === true
    if (isHidden || member.name.text.startsWith('_')) return []
    return [{ name: member.name.text, params: planned(member, shapes) }]
  })
}

function planned(node: ts.SignatureDeclaration, shapes: CodeShapes): PlannedTarget['params'] {
  return shapes.paramsOf(node).map((shape, index) => {
    const { name, dotDotDotToken } = node.parameters[index]!
    const plain = toPlain(shape, ts.isIdentifier(name) ? name.text : '')
    // A rest parameter is given one value.
    return dotDotDotToken === undefined ? plain : (plain.element ?? { kinds: [] })
  })
}

const maxMined = 40
const maxTargets = 40

function minedIn(source: ts.SourceFile): Plan['mined'] {
  const numbers = new Set<number>()
  const texts = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isNumericLiteral(node)) numbers.add(Number(node.text))
    else if (ts.isStringLiteralLike(node) && node.text.length <= 40 && !ts.isImportDeclaration(node.parent)) {
      texts.add(node.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { numbers: [...numbers].slice(0, maxMined), texts: [...texts].slice(0, maxMined) }
}

/** What of the code can be called, and with what; of that, what these texts choose. */
export function planOf(
  code: string,
  language: Language,
  isWanted: (text: string) => boolean = () => true
): Runnable {
  const source = parseScript(code, language)
  const shapes = readShapes(source)
  const targets = targetsIn(source)
    .filter(({ node }) => isWanted(node.getText(source)))
    .slice(0, maxTargets)
  const plain = (map: CodeShapes['free']): Plan['free'] =>
    Object.fromEntries([...map].map(([name, shape]) => [name, toPlain(shape, name)]))
  return {
    units: targets.map(({ unit }) => unit),
    plan: {
      mined: minedIn(source),
      free: plain(shapes.free),
      modules: plain(shapes.modules),
      targets: targets.map(({ access, node }): PlannedTarget => {
        if (!ts.isClassLike(node)) return { access, params: planned(node, shapes) }
        const make = node.members.find(
          (member) => ts.isConstructorDeclaration(member) && member.body !== undefined
        )
        return {
          access,
          params: make === undefined ? [] : planned(make as ts.ConstructorDeclaration, shapes),
          methods: methodsOf(node, shapes) ?? []
        }
      })
    }
  }
}

/**
 * The code as the text of a function that the sandbox can run. Null where it cannot be one, as with await at
 * its top.
 */
export function toSandboxScript(code: string, language: Language): string | null {
  const { outputText, diagnostics = [] } = withNodeBudget(code, () =>
    ts.transpileModule(code, {
      fileName: language === 'typescript' ? 'code.ts' : language === 'tsx' ? 'code.tsx' : 'code.jsx',
      reportDiagnostics: true,
      compilerOptions: {
        module: ts.ModuleKind.CommonJS,
        target: ts.ScriptTarget.ES2022,
        jsx: ts.JsxEmit.React,
        esModuleInterop: true,
        alwaysStrict: false,
        allowJs: true
      }
    })
  )
  if (
    diagnostics.some(({ category, file }) => category === ts.DiagnosticCategory.Error && file !== undefined)
  ) {
    return null
  }
  const names = parseScript(code, language)
    .statements.map(declaredBy)
    .filter((name) => name !== '')
    .join(' ')
    .split(' ')
  return `(function (__scope, module, require) { with (__scope) { return (function (exports, require, module, __filename, __dirname) {
${outputText}
;return { ${names.join(', ')} } })(module.exports, require, module, '', '') } })`
}
