import ts from 'typescript'
import type { Proof } from '@filewright/contracts'
import { callOf, shownCall, type Call } from './calls.js'
import { lineOf, type Case } from './case.js'
import type { Entry } from './trace.js'
import { delimitersIn } from './faults.js'
import type { Run } from './machine.js'
import { reproducerOf } from './reproducer.js'
import type { FoundFault } from './find-faults.js'

const MAX_WRITES = 12

const nested = (...keys: string[]): string =>
  `JSON.parse('${keys.reduceRight((inner, key) => `{"${key}":${inner}}`, '"yes"')}')`
const byProto = nested('__proto__', 'polluted')
const byConstructor = nested('constructor', 'prototype', 'polluted')

/** Arguments of functions that merge, set or parse nested properties, the simplest first. */
const attempts = [
  `{}, ${byProto}`,
  `{}, "__proto__.polluted", "yes"`,
  `{}, ["__proto__", "polluted"], "yes"`,
  byProto,
  `"__proto__.polluted", "yes"`,
  `{}, "__proto__", "polluted", "yes"`,
  `"__proto__.polluted", "yes", {}`,
  `"__proto__.polluted", {}, "yes"`,
  `["__proto__", "polluted"], "yes", {}`,
  `{}, "yes", "__proto__.polluted"`,
  `{}, {}, ${byProto}`,
  `true, {}, ${byProto}`,
  `[{}, ${byProto}]`,
  `{}, [${byProto}]`,
  `${byProto}, {}`,
  `{}, ${byConstructor}`,
  `{}, "constructor.prototype.polluted", "yes"`,
  `{}, ["constructor", "prototype", "polluted"], "yes"`,
  `true, {}, ${byConstructor}`,
  `{}, "/__proto__/polluted", "yes"`,
  `{}, "__proto__[polluted]", "yes"`,
  `{}, "/constructor/prototype/polluted", "yes"`,
  `{}, [["__proto__"], "polluted"], "yes"`,
  `{}, ["", ["__proto__"], "polluted"], "yes"`,
  `{}, [["__proto__"], ["polluted"]], "yes"`,
  `"__proto__", "polluted", "yes"`,
  `["__proto__", "polluted"], "yes"`,
  `{ "__proto__.polluted": "yes" }`,
  `{}, { "__proto__.polluted": "yes" }`,
  `{ "constructor.prototype.polluted": "yes" }`,
  `"__proto__[polluted]=yes"`,
  `"__proto__.polluted=yes"`,
  `"?__proto__[polluted]=yes"`,
  `"[__proto__]\\npolluted=yes"`,
  `["--__proto__.polluted", "yes"]`,
  `["--__proto__.polluted=yes"]`,
  `[{ name: "__proto__.polluted", value: "yes" }]`,
  `[["__proto__.polluted", "yes"]]`,
  `{}, [{ op: "add", path: "/__proto__/polluted", value: "yes" }]`,
  `{}, { op: "add", path: "/__proto__/polluted", value: "yes" }`,
  `{}, [{ op: "add", path: "/constructor/prototype/polluted", value: "yes" }]`
]

const MAX_KEY_CALLS = 40

/** Calls in which keys that lead to the prototype fill the slots for texts, as paths and one by one. */
function keyCalls({ places, render }: Call, delimiters: readonly string[]): string[] {
  const texts = places.flatMap(({ type, isTarget }, place) => (type === 'text' && !isTarget ? [place] : []))
  const pairs = texts.flatMap((place, index) => (index === 0 ? [] : [[texts[index - 1]!, place] as const]))
  const paths = delimiters.flatMap((each) => [
    ['__proto__', 'polluted'].join(each),
    ['', '__proto__', 'polluted'].join(each),
    ['', 'constructor', 'prototype', 'polluted'].join(each)
  ])
  const inPairs = pairs.map(([first, second]) =>
    render(
      new Map([
        [first, '"__proto__"'],
        [second, '"polluted"']
      ])
    )
  )
  const inPaths = texts.flatMap((place) =>
    paths.flatMap((path) => {
      const key = [place, JSON.stringify(path)] as const
      // An empty text lets the code take its own delimiter.
      return [render(new Map([key])), render(new Map([...texts.map((each) => [each, '""'] as const), key]))]
    })
  )
  return [...new Set([...inPairs, ...inPaths])].slice(0, MAX_KEY_CALLS)
}

/** Calls that could add a property to every object. */
function* callsOf(
  entries: readonly Entry[],
  module: Case['module']
): Generator<{ entry: Entry; call: string }> {
  const calls = entries.map((entry) => ({ entry, own: callOf(entry, module) }))
  for (const args of attempts) {
    for (const { entry, own } of calls) if (!own.isClosed) yield { entry, call: `${own.callee}(${args})` }
  }
  const delimiters = delimitersIn(module.source)
  for (const { entry, own } of calls) {
    for (const call of keyCalls(own, delimiters)) yield { entry, call }
  }
}

/** Proves that a call of an entry point adds a property to `Object.prototype`. */
export async function provePollution(given: Case): Promise<Proof | null> {
  for (const { entry, call } of callsOf(given.entries, given.module)) {
    const proof = await proveCall(entry, call, given, ({ isPolluted }) => isPolluted)
    if (proof !== null) return proof
  }
  return null
}

async function proveCall(
  entry: Entry,
  call: string,
  given: Case,
  isShown: (run: Run) => boolean
): Promise<Proof | null> {
  const { module, loaded, confirm } = given
  if ((await loaded.run(call))?.isPolluted !== true) return null
  if ((await confirm(call, (run) => (isShown(run) ? true : null))) === null) return null
  const effect = 'every object has a property of the input'
  return {
    input: shownCall(entry, call),
    observed: effect,
    reproducer: reproducerOf(module, call, { kind: 'pollution' }, effect),
    entry_line: lineOf(entry, given)
  }
}

/** Finds pollution that no rule reports, at one of these lines. */
export async function* findPollution(
  lines: readonly number[],
  entries: readonly Entry[],
  { module, loaded }: Pick<Case, 'module' | 'loaded'>,
  caseOf: (line: number) => Case
): AsyncGenerator<FoundFault> {
  if (lines.length === 0) return
  for (const { entry, call } of callsOf(entries, module)) {
    if ((await loaded.run(call))?.isPolluted !== true) continue
    for (const line of lines) {
      const proof = await proveCall(entry, call, caseOf(line), ({ isPollutedHere }) => isPollutedHere)
      if (proof === null) continue
      yield { kind: 'pollution', line, proof }
      return
    }
  }
}

/**
 * Lines that write to a property whose name is computed, in code that also reads one: a write pollutes only what a
 * read has reached. Names that count are indexes.
 */
export function computedWrites(source: ts.SourceFile): number[] {
  const lines = new Set<number>()
  let isRead = false
  const counters = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (
      ts.isForStatement(node) &&
      node.initializer !== undefined &&
      ts.isVariableDeclarationList(node.initializer)
    ) {
      for (const { name } of node.initializer.declarations) counters.add(name.getText(source))
    }
    if (ts.isElementAccessExpression(node) && !isIndex(node.argumentExpression)) {
      const { parent } = node
      const isWritten =
        ts.isBinaryExpression(parent) &&
        parent.left === node &&
        parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
      if (isWritten) lines.add(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1)
      else isRead = true
    }
    ts.forEachChild(node, visit)
  }
  const isIndex = (key: ts.Expression): boolean =>
    ts.isLiteralExpression(key) ||
    ts.isBinaryExpression(key) ||
    ts.isPostfixUnaryExpression(key) ||
    ts.isPrefixUnaryExpression(key) ||
    (ts.isIdentifier(key) && counters.has(key.text))
  visit(source)
  return isRead ? [...lines].slice(0, MAX_WRITES) : []
}
