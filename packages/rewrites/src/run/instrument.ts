import ts from 'typescript'
import { isSearch, isTelling } from './telling.js'

/** A place in the code that some input must reach. */
export interface Probe {
  /** Where it stands in the code. */
  start: number
  /** A description of the place. */
  what: string
  /** The number of the probe for the opposite result of the same condition. */
  other?: number
}

export interface Instrumented {
  transformer: ts.TransformerFactory<ts.SourceFile>
  /** By their numbers, once the transformer has run. */
  probes: Probe[]
}

const MAX_SHOWN = 60

const shown = (text: string): string => {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length > MAX_SHOWN ? `${flat.slice(0, MAX_SHOWN)}…` : flat
}

const logical = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken
])

/**
 * Makes code tell which of its branches run: bodies of functions and loops, both answers to each condition and
 * to each part of one, cases, handlers of errors, default values. It also keeps the operands of comparisons.
 *
 * @param probesName is a name that the code does not use
 * @param kept by their start: functions that cannot be reached by a name once the code has loaded
 */
export function instrument(
  source: ts.SourceFile,
  probesName: string,
  kept: ReadonlyMap<number, string>
): Instrumented {
  const probes: Probe[] = []
  let operands = 0

  const transformer: ts.TransformerFactory<ts.SourceFile> = (context) => {
    const { factory } = context

    const part = (name: string): ts.PropertyAccessExpression =>
      factory.createPropertyAccessExpression(factory.createIdentifier(probesName), name)
    const keep = (access: string, fn: ts.Expression): ts.Expression =>
      factory.createCallExpression(part('keep'), undefined, [factory.createStringLiteral(access), fn])
    const add = (node: ts.Node, what: string): ts.Expression => {
      probes.push({ start: node.getStart(source), what: `${what}${shown(node.getText(source))}` })
      return factory.createNumericLiteral(probes.length - 1)
    }
    const hit = (probe: ts.Expression): ts.Expression =>
      factory.createAssignment(
        factory.createElementAccessExpression(factory.createIdentifier(probesName), probe),
        factory.createNumericLiteral(1)
      )
    const reach = (node: ts.Node): ts.Statement => factory.createExpressionStatement(hit(add(node, '')))
    const inTurn = (...list: ts.Expression[]): ts.Expression =>
      factory.createParenthesizedExpression(factory.createCommaListExpression(list))

    /** Records both results of a condition, or whether a value is missing. */
    function asked(original: ts.Expression, visited: ts.Expression, isMissing = false): ts.Expression {
      const [yes, no] = [add(original, ''), add(original, isMissing ? 'no ' : 'not ')]
      probes.at(-2)!.other = probes.length - 1
      probes.at(-1)!.other = probes.length - 2
      const answer = isMissing
        ? factory.createStrictInequality(
            factory.createBinaryExpression(
              part('value'),
              ts.SyntaxKind.QuestionQuestionToken,
              factory.createNull()
            ),
            factory.createNull()
          )
        : part('value')
      return inTurn(
        factory.createAssignment(part('value'), visited),
        hit(factory.createConditionalExpression(answer, undefined, yes, undefined, no)),
        part('value')
      )
    }

    /** An assignment has the value of its right side, so the comparison itself does not change. */
    const noted = (visited: ts.Expression): ts.Expression =>
      factory.createParenthesizedExpression(
        factory.createAssignment(
          factory.createElementAccessExpression(part('operands'), factory.createNumericLiteral(operands++)),
          visited
        )
      )

    /** Two places per comparison; a search has only one operand. */
    const notedBoth = (...list: ts.Expression[]): ts.Expression[] => {
      const notes = list.map(noted)
      operands += operands % 2
      return notes
    }

    function before(original: ts.Node, visited: ts.Expression): ts.Expression {
      return inTurn(hit(add(original, '')), visited)
    }

    function inBlock(original: ts.Statement, visited: ts.Statement): ts.Block {
      const probe = reach(original)
      return ts.isBlock(visited)
        ? factory.updateBlock(visited, [probe, ...visited.statements])
        : factory.createBlock([probe, visited])
    }

    function bodyOf(original: ts.Block, visited: ts.Block): ts.Block {
      // Directives such as 'use strict' must stay first.
      const directives = visited.statements.findIndex(
        (each) => !(ts.isExpressionStatement(each) && ts.isStringLiteral(each.expression))
      )
      const at = directives < 0 ? visited.statements.length : directives
      return factory.updateBlock(visited, [
        ...visited.statements.slice(0, at),
        reach(original),
        ...original.statements.flatMap((each) => {
          const access = kept.get(each.getStart(source))
          return access !== undefined && ts.isFunctionDeclaration(each) && each.name !== undefined
            ? [factory.createExpressionStatement(keep(access, factory.createIdentifier(each.name.text)))]
            : []
        }),
        ...visited.statements.slice(at)
      ])
    }

    const isNamedByPlace = (node: ts.Expression): boolean =>
      ts.isFunctionExpression(node) || ts.isArrowFunction(node) || ts.isClassExpression(node)

    function visit(node: ts.Node): ts.Node {
      if (ts.isTypeNode(node)) return node
      const visited = ts.visitEachChild(node, visit, context)
      if (ts.isIfStatement(node) && ts.isIfStatement(visited)) {
        return factory.updateIfStatement(
          visited,
          isLogical(node.expression) ? visited.expression : asked(node.expression, visited.expression),
          visited.thenStatement,
          visited.elseStatement
        )
      }
      if (ts.isConditionalExpression(node) && ts.isConditionalExpression(visited)) {
        return factory.updateConditionalExpression(
          visited,
          isLogical(node.condition) ? visited.condition : asked(node.condition, visited.condition),
          visited.questionToken,
          visited.whenTrue,
          visited.colonToken,
          visited.whenFalse
        )
      }
      if (ts.isBinaryExpression(node) && ts.isBinaryExpression(visited)) {
        if (logical.has(node.operatorToken.kind as never)) return choices(node, visited)
        if (node.operatorToken.kind === ts.SyntaxKind.InKeyword && !ts.isPrivateIdentifier(node.left)) {
          const [key] = notedBoth(visited.left)
          return factory.updateBinaryExpression(visited, key!, visited.operatorToken, visited.right)
        }
        if (!isTelling(node)) return visited
        const [left, right] = notedBoth(visited.left, visited.right) as [ts.Expression, ts.Expression]
        return factory.updateBinaryExpression(visited, left, visited.operatorToken, right)
      }
      if (ts.isBlock(node) && ts.isBlock(visited) && ts.isFunctionLike(node.parent)) {
        return bodyOf(node, visited)
      }
      if (ts.isArrowFunction(node) && ts.isArrowFunction(visited) && !ts.isBlock(node.body)) {
        return handed(
          node,
          factory.updateArrowFunction(
            visited,
            visited.modifiers,
            visited.typeParameters,
            visited.parameters,
            visited.type,
            visited.equalsGreaterThanToken,
            before(node.body, visited.body as ts.Expression)
          )
        )
      }
      if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) {
        return handed(node, visited as ts.Expression)
      }
      if (ts.isCallExpression(node) && ts.isCallExpression(visited) && isSearch(node)) {
        const last = visited.arguments.at(-1)!
        return factory.updateCallExpression(visited, visited.expression, visited.typeArguments, [
          ...visited.arguments.slice(0, -1),
          notedBoth(last)[0]!
        ])
      }
      if (ts.isSpreadAssignment(node) && ts.isSpreadAssignment(visited)) {
        // QuickJS copies nothing of a string, the language says its characters.
        const object = factory.createCallExpression(part('toObject'), undefined, [visited.expression])
        return factory.updateSpreadAssignment(visited, object)
      }
      if (ts.isIterationStatement(node, false)) return loop(node, visited as ts.IterationStatement)
      if (ts.isCaseOrDefaultClause(node)) {
        const clause = visited as ts.CaseOrDefaultClause
        const statements = [reach(node), ...clause.statements]
        return ts.isCaseClause(clause)
          ? factory.updateCaseClause(clause, clause.expression, statements)
          : factory.updateDefaultClause(clause, statements)
      }
      if (ts.isCatchClause(node) && ts.isCatchClause(visited)) {
        return factory.updateCatchClause(
          visited,
          visited.variableDeclaration,
          inBlock(node.block, visited.block)
        )
      }
      if (ts.isParameter(node) && ts.isParameter(visited)) {
        if (node.initializer === undefined || isNamedByPlace(node.initializer)) return visited
        return factory.updateParameterDeclaration(
          visited,
          visited.modifiers,
          visited.dotDotDotToken,
          visited.name,
          visited.questionToken,
          visited.type,
          before(node.initializer, visited.initializer!)
        )
      }
      return visited
    }

    const isLogical = (node: ts.Expression): boolean =>
      ts.isParenthesizedExpression(node)
        ? isLogical(node.expression)
        : ts.isBinaryExpression(node) && logical.has(node.operatorToken.kind as never)

    /** Instruments the first part of `a && b`, and the second part if the expression is a condition. */
    function choices(node: ts.BinaryExpression, visited: ts.BinaryExpression): ts.Expression {
      const isMissing = node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken
      let { left, right } = visited
      if (!isLogical(node.left)) {
        left = asked(node.left, left, isMissing)
      }
      if (!isLogical(node.right) && !isNamedByPlace(node.right)) {
        right = isCondition(node) ? asked(node.right, right) : before(node.right, right)
      }
      return factory.updateBinaryExpression(visited, left, visited.operatorToken, right)
    }

    /** Whether its result decides which code runs, and is not used as a value. */
    function isCondition(node: ts.Node): boolean {
      const { parent } = node
      if (ts.isParenthesizedExpression(parent)) return isCondition(parent)
      if (ts.isBinaryExpression(parent) && logical.has(parent.operatorToken.kind as never)) {
        return parent.left === node || isCondition(parent)
      }
      if (ts.isPrefixUnaryExpression(parent)) return parent.operator === ts.SyntaxKind.ExclamationToken
      return (
        (ts.isIfStatement(parent) && parent.expression === node) ||
        (ts.isConditionalExpression(parent) && parent.condition === node)
      )
    }

    function handed(node: ts.Expression, visited: ts.Expression): ts.Expression {
      const access = kept.get(node.getStart(source))
      return access === undefined ? visited : keep(access, visited)
    }

    function loop(node: ts.IterationStatement, visited: ts.IterationStatement): ts.Node {
      const body = inBlock(node.statement, visited.statement)
      if (ts.isForStatement(visited)) {
        return factory.updateForStatement(
          visited,
          visited.initializer,
          visited.condition,
          visited.incrementor,
          body
        )
      }
      if (ts.isForOfStatement(visited)) {
        return factory.updateForOfStatement(
          visited,
          visited.awaitModifier,
          visited.initializer,
          visited.expression,
          body
        )
      }
      if (ts.isForInStatement(visited)) {
        return factory.updateForInStatement(visited, visited.initializer, visited.expression, body)
      }
      if (ts.isWhileStatement(visited)) return factory.updateWhileStatement(visited, visited.expression, body)
      return ts.isDoStatement(visited)
        ? factory.updateDoStatement(visited, body, visited.expression)
        : visited
    }

    return (file) => ts.visitEachChild(file, visit, context)
  }
  return { transformer, probes }
}
