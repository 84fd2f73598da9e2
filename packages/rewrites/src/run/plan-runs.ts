import ts from 'typescript'
import type { Language } from '@filewright/contracts'
import type { Plan, PlannedTarget } from './plan.js'
import { minedIn, mineLiterals } from './mine-literals.js'
import { innerParams, plannedParams } from './planned-params.js'
import { privateNames, rootOf } from './private-names.js'
import { mergePlain, toPlain, type PlainShape } from './shape.js'
import { parseScript, targetsIn, type Target } from './targets.js'
import { readShapes, type CodeShapes } from './use-shapes.js'

export interface Runnable {
  plan: Plan
  /** The unit of each target in the plan. */
  units: string[]
  /** The private units among them, and those of these that the other version calls in another way. */
  hidden: ReadonlySet<string>
  moved: ReadonlySet<string>
  /** The units that only the other version has. */
  added: ReadonlySet<string>
}

/** The plan without the targets in some units. */
export function withoutUnits(runnable: Runnable, left: ReadonlySet<string>): Runnable {
  const { plan, units } = runnable
  return {
    ...runnable,
    plan: { ...plan, targets: plan.targets.filter((_, index) => !left.has(units[index]!)) },
    units: units.filter((unit) => !left.has(unit))
  }
}

/** The parameters of a function without their types. */
const headOf = ({ node }: Target): string =>
  ts.isClassLike(node) ? 'class' : node.parameters.map(({ name }) => name.getText()).join()

function methodsOf(node: ts.ClassLikeDeclaration, shapes: CodeShapes): PlannedTarget['methods'] {
  return node.members.flatMap((member) => {
    if (isPublicField(member)) return [{ name: (member.name as ts.Identifier).text, params: [] }]
    if (
      (!ts.isMethodDeclaration(member) && !ts.isGetAccessor(member)) ||
      !ts.isIdentifier(member.name) ||
      member.body === undefined
    ) {
      return []
    }
    const isHidden = member.modifiers?.some(({ kind }) => hiding.has(kind)) === true
    if (isHidden || member.name.text.startsWith('_')) return []
    return [{ name: member.name.text, ...plannedParams(member, shapes) }]
  })
}

/** TypeScript declares which fields are public. */
function isPublicField(member: ts.ClassElement): boolean {
  return (
    ts.isPropertyDeclaration(member) &&
    (member.flags & ts.NodeFlags.JavaScriptFile) === 0 &&
    ts.isIdentifier(member.name) &&
    !member.name.text.startsWith('_') &&
    member.modifiers?.some(({ kind }) => hiding.has(kind)) !== true
  )
}

const hiding = new Set<ts.SyntaxKind>([
  ts.SyntaxKind.PrivateKeyword,
  ts.SyntaxKind.ProtectedKeyword,
  ts.SyntaxKind.StaticKeyword,
  ts.SyntaxKind.DeclareKeyword
])

function plannedTarget({ access, node }: Target, shapes: CodeShapes): PlannedTarget {
  if (!ts.isClassLike(node)) return { access, ...plannedParams(node, shapes), ...innerParams(node, shapes) }
  const make = node.members.find((member) => ts.isConstructorDeclaration(member) && member.body !== undefined)
  return {
    access,
    ...(make === undefined ? { params: [] } : plannedParams(make as ts.ConstructorDeclaration, shapes)),
    methods: methodsOf(node, shapes) ?? [],
    ...innerParams(node, shapes)
  }
}

const maxTargets = 40

const mergeParams = (a: readonly PlainShape[], b: readonly PlainShape[]): PlainShape[] =>
  a.map((shape, index) => {
    const other = b[index]
    if (other === undefined) return shape
    const { isWhole, ...merged } = mergePlain(shape, other)
    // If one version rounds the number, fractions are passed as well.
    return isWhole === true && other.isWhole === true ? { ...merged, isWhole } : merged
  })

/**
 * Plans the callable parts of the original and their arguments, limited to the units that these texts select.
 * The literals and uses of both versions determine the inputs, because inputs must reach branches that only
 * one version has.
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
  const own = privateNames(source)
  const known = new Set(targetsIn(source).map(({ unit }) => unit))
  const targets = targetsIn(source)
    .filter(({ node }) => isWanted(node.getText(source)))
    .slice(0, maxTargets)
  const hidden = targets.filter((each) => own.has(rootOf(each)))
  const moved = hidden.filter((each) => {
    const twin = others.get(each.access)
    return twin === undefined || headOf(twin) !== headOf(each)
  })
  const unitsOf = (list: readonly Target[]): Set<string> => new Set(list.map(({ unit }) => unit))
  const plain = (map: CodeShapes['free']): Plan['free'] =>
    Object.fromEntries([...map].map(([name, shape]) => [name, toPlain(shape, name)]))
  return {
    units: targets.map(({ unit }) => unit),
    hidden: unitsOf(hidden),
    moved: unitsOf(moved),
    added: unitsOf([...others.values()].filter(({ unit }) => !known.has(unit))),
    plan: {
      mined: mineLiterals(minedIn(source), minedIn(other)),
      probes: 0,
      free: plain(shapes.free),
      modules: plain(shapes.modules),
      targets: targets.map((target): PlannedTarget => {
        const planned = plannedTarget(target, shapes)
        const twin = others.get(target.access)
        if (twin === undefined || ts.isClassLike(twin.node) !== ts.isClassLike(target.node)) return planned
        const theirs = plannedTarget(twin, otherShapes)
        const isOpen = planned.params.length === 0 && theirs.isRest === true
        return {
          ...planned,
          // A function that reads `arguments` takes the arguments that the other version takes with a rest
          // parameter.
          ...(isOpen ? { isRest: true } : {}),
          params: isOpen ? theirs.params : mergeParams(planned.params, theirs.params),
          ...(theirs.inner === undefined ? {} : { inner: { ...theirs.inner, ...planned.inner } }),
          ...(planned.methods === undefined
            ? {}
            : {
                methods: planned.methods.map((method) => ({
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
