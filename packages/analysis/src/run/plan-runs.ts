import ts from 'typescript'
import type { Language } from '@filewright/contracts'
import type { Plan, PlannedTarget } from './plan.js'
import { samplesOf } from './pattern-samples.js'
import { mergePlain, toPlain, type PlainShape } from './shape.js'
import { parseScript, targetsIn, type Target } from './targets.js'
import { readShapes, type CodeShapes } from './use-shapes.js'

export interface Runnable {
  plan: Plan
  /** For each target of the plan the unit of the code that it is part of. */
  units: string[]
}

type Params = Pick<PlannedTarget, 'params' | 'isRest'>

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
    return [{ name: member.name.text, ...planned(member, shapes) }]
  })
}

function planned(node: ts.SignatureDeclaration, shapes: CodeShapes): Params {
  const isRest = node.parameters.at(-1)?.dotDotDotToken !== undefined
  const params = shapes.paramsOf(node).map((shape, index) => {
    const { name, dotDotDotToken } = node.parameters[index]!
    const plain = toPlain(shape, ts.isIdentifier(name) ? name.text : '')
    return dotDotDotToken === undefined ? plain : (plain.element ?? { kinds: [], isGuess: true as const })
  })
  return { params, ...(isRest ? { isRest } : {}) }
}

function plannedTarget({ access, node }: Target, shapes: CodeShapes): PlannedTarget {
  if (!ts.isClassLike(node)) return { access, ...planned(node, shapes) }
  const make = node.members.find((member) => ts.isConstructorDeclaration(member) && member.body !== undefined)
  return {
    access,
    ...(make === undefined ? { params: [] } : planned(make as ts.ConstructorDeclaration, shapes)),
    methods: methodsOf(node, shapes) ?? []
  }
}

const maxMined = 60
const maxTargets = 40

/** The literals of the code, and strings that its patterns match. */
function minedIn(source: ts.SourceFile): Plan['mined'] {
  const numbers = new Set<number>()
  const texts = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isNumericLiteral(node)) {
      const number = Number(node.text)
      numbers.add(number)
      // It may be a character's code.
      if (Number.isInteger(number) && number >= 32 && number <= 0x10ffff) {
        for (const code of [number - 1, number, number + 1]) texts.add(String.fromCodePoint(code))
      }
    } else if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    ) {
      if (node.text !== '' && node.text.length <= 40 && !ts.isImportDeclaration(node.parent)) {
        texts.add(node.text)
      }
    } else if (ts.isRegularExpressionLiteral(node)) for (const each of samplesOf(node.text)) texts.add(each)
    else if (ts.isPropertyAssignment(node) && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name))) {
      texts.add(node.name.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { numbers: [...numbers], texts: [...texts] }
}

const either = <Value>(a: readonly Value[], b: readonly Value[]): Value[] => {
  // In turns, so that neither version's literals push the other's out.
  const all = Array.from({ length: Math.max(a.length, b.length) }, (_, index) => [a[index], b[index]])
  return [...new Set(all.flat().filter((each) => each !== undefined))].slice(0, maxMined) as Value[]
}

const mergeParams = (a: readonly PlainShape[], b: readonly PlainShape[]): PlainShape[] =>
  a.map((shape, index) => (b[index] === undefined ? shape : mergePlain(shape, b[index])))

/**
 * What of the code before can be called, and with what; of that, what these texts choose. The literals and
 * the uses of both versions choose the inputs: a branch that only one of them has must be reached as well.
 */
export function planOf(
  before: string,
  after: string,
  language: Language,
  isWanted: (text: string) => boolean
): Runnable {
  const [source, other] = [parseScript(before, language), parseScript(after, language)]
  const [shapes, otherShapes] = [readShapes(source), readShapes(other)]
  const others = new Map(targetsIn(other).map((each) => [each.access, each]))
  const targets = targetsIn(source)
    .filter(({ node }) => isWanted(node.getText(source)))
    .slice(0, maxTargets)
  const plain = (map: CodeShapes['free']): Plan['free'] =>
    Object.fromEntries([...map].map(([name, shape]) => [name, toPlain(shape, name)]))
  const [mined, otherMined] = [minedIn(source), minedIn(other)]
  return {
    units: targets.map(({ unit }) => unit),
    plan: {
      mined: {
        numbers: either(mined.numbers, otherMined.numbers),
        texts: either(mined.texts, otherMined.texts)
      },
      probes: 0,
      free: plain(shapes.free),
      modules: plain(shapes.modules),
      targets: targets.map((target): PlannedTarget => {
        const own = plannedTarget(target, shapes)
        const twin = others.get(target.access)
        if (twin === undefined || ts.isClassLike(twin.node) !== ts.isClassLike(target.node)) return own
        const theirs = plannedTarget(twin, otherShapes)
        return {
          ...own,
          params: mergeParams(own.params, theirs.params),
          ...(own.methods === undefined
            ? {}
            : {
                methods: own.methods.map((method) => ({
                  ...method,
                  params: mergeParams(
                    method.params,
                    theirs.methods?.find(({ name }) => name === method.name)?.params ?? []
                  )
                }))
              })
        }
      })
    }
  }
}
