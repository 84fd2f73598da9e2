import { WORD } from './escapes.js'
import { ELEMENT, ENTER, LEAVE } from './marks.js'
import type { ModuleText } from './module-text.js'
import { createOutside, type Mode } from './outside.js'
import { createRoutes } from './routes.js'
import { createTypeChecks } from './type-checks.js'

/** The check of a reproducer after the call, as JavaScript. */
export type Check =
  | { kind: 'pollution' }
  | { kind: 'code' }
  /** A stand-in was called with this text. */
  | { kind: 'call'; path: string; text: string }
  /** The argument is a function of a repetition count. The call takes far longer with a larger count. */
  | { kind: 'growth' }
  /** The same, with twice the count. */
  | { kind: 'power' }
  | { kind: 'throws' }
  /** A stand-in of the call is called twice, or a response of it answered twice. */
  | { kind: 'twice'; path: string }
  | { kind: 'endless' }
  | { kind: 'rejection' }
  | { kind: 'past-end' }

const outsideText = `process.cwd = () => '/app'
const { calls, world, handlers, standIn, require: outside, globals } = (${createOutside.toString()})({
  real: {
    path: require('node:path').posix,
    util: require('node:util'),
    assert: require('node:assert'),
    'assert/strict': require('node:assert').strict,
    invariant: require('node:assert'),
    'tiny-invariant': require('node:assert'),
    querystring: require('node:querystring'),
    buffer: require('node:buffer')
  },
  partly: {
    url: { parse: require('node:url').parse, format: require('node:url').format, URL, URLSearchParams },
    net: { isIP: require('node:net').isIP, isIPv4: require('node:net').isIPv4, isIPv6: require('node:net').isIPv6 }
  },
  classes: { URL, URLSearchParams, Buffer },
  checkType: (${createTypeChecks.toString()})(),
  createRoutes: ${createRoutes.toString()}
})`

const elementText = `let isPastEnd = false
// Gets the list and the index of each element that the line reads.
globalThis.${ELEMENT} = (list, index) => {
  if ((typeof list === 'string' || Array.isArray(list) || ArrayBuffer.isView(list)) && index === list.length) isPastEnd = true
  return index
}
`

const worlds: Partial<Record<Mode, string>> = {
  'failing here': 'Calls out of the code by that line fail.',
  'late failing': 'Calls out of the code fail, after they have returned.',
  throwing: 'The callback throws when it is called first.'
}

const marksText = `// Tells whether the line that the proof is about is being evaluated.
globalThis.${ENTER} = (isHere) => {
  const before = world.isHere
  world.isHere = isHere
  return before
}
globalThis.${LEAVE} = (before, value) => {
  world.isHere = before
  return value
}
`

const say = (text: string): string => JSON.stringify(`Proven: ${text}`)

const measureText = (call: string): string =>
  `const measure = (n) => Math.min(...[1, 2, 3].map(() => {
  const start = process.cpuUsage()
  try { ${call} } catch {}
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}))`

function checkText(check: Check, call: string, effect: string): string {
  switch (check.kind) {
    case 'pollution':
      return `try { ${call} } catch {}
if (Object.getOwnPropertyNames(Object.prototype).some((name) => name.includes('polluted'))) console.log(${say(effect)})`
    case 'code':
      return `globalThis.${WORD} = () => console.log(${say(effect)})
;(async () => {
  const result = await ${call}
  if (typeof result === 'function') result()
})().catch(() => {})`
    case 'call':
      return `const holds = (value) => value === expected || JSON.stringify(value) === expected ||
  (value instanceof URL ? value.href === expected : typeof value === 'object' && value !== null && Object.values(value).some(holds))
const expected = ${JSON.stringify(check.text)}
;(async () => {
  try { await ${call} } catch {}
  const call = calls.find(({ path, args }) => path === ${JSON.stringify(check.path)} && (holds(args) || holds(args.flat().filter((each) => typeof each === 'string').join(' '))))
  if (call !== undefined) console.log(${say(effect)}, expected)
})()`
    case 'power':
      return `${measureText(call)}
for (let n = 1000; n <= 4_000_000; n *= 2) {
  const ms = measure(n)
  if (ms < 100) continue
  const before = measure(n / 2)
  console.log(n / 2, 'repetitions:', before, 'ms,', n, 'repetitions:', ms, 'ms')
  if (ms > 2.7 * before) console.log(${say(effect)})
  break
}`
    case 'throws':
      return `const show = (error) => {
  if (error instanceof TypeError) console.log(${say(effect)}, error.message)
}
;(async () => { await ${call} })().catch(show)`
    case 'twice':
      return `process.on('unhandledRejection', () => {})
const name = ${JSON.stringify(check.path)}
const answers = () => calls.filter(({ path }) => path === name ||
  (path === 'next' && /^(?:res|resp|response|reply)$/.test(name)) || (path.startsWith(name) &&
  /(?:^|[.)])(?:send|json|end|redirect|render|sendStatus|sendFile)$/.test(path)))
;(async () => {
  try { await ${call} } catch {}
  await new Promise((done) => setTimeout(done, 10))
  for (const { path, args } of answers()) console.log(path, ...args)
  if (answers().length > 1) console.log(${say(effect)})
})()`
    case 'endless':
      return `globalThis.call = () => { ${call} }
try {
  require('node:vm').runInThisContext('call()', { timeout: 3000 })
} catch (error) {
  if (error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') console.log(${say(effect)})
}`
    case 'rejection':
      return `process.on('unhandledRejection', (error) => console.log(${say(effect)}, error.message))
try { ${call} } catch {}`
    case 'past-end':
      return `try { ${call} } catch {}
if (isPastEnd) console.log(${say(effect)})`
    case 'growth':
      return `${measureText(call)}
for (let n = 12; n <= 60; n++) {
  const ms = measure(n)
  if (ms < 60) continue
  const before = measure(n - 6)
  console.log(n - 6, 'repetitions:', before, 'ms,', n, 'repetitions:', ms, 'ms')
  if (ms > 4 * before) console.log(${say(effect)})
  break
}`
  }
}

/**
 * A program for plain Node.js that demonstrates a proof. Calls out of the code are only recorded. It is not a
 * sandbox: code that tries to get around the stand-ins succeeds.
 */
export function reproducerOf(
  module: ModuleText,
  call: string,
  check: Check,
  effect: string,
  mode: Mode = 'usual'
): string {
  const { js, free, names } = module
  const needsOutside =
    free.length > 0 ||
    check.kind === 'call' ||
    /\brequire\b/.test(js) ||
    /\b(?:handlers|standIn)\b/.test(call)
  const params = ['exports', 'require', 'module', '__filename', '__dirname', ...free]
  const args = ['module.exports', needsOutside ? 'outside' : 'require', 'module', "'/app/code.js'", "'/app'"]
  const given = free.map((name) => `globals.${name} ?? standIn('${name}')`)
  const start = needsOutside
    ? `// Everything outside the code: calls are recorded and touch nothing.\n${outsideText}\n`
    : ''
  const lib = needsOutside
    ? `const isEmpty = typeof loaded.exports === 'object' && Object.keys(loaded.exports).length === 0
const lib = isEmpty && handlers.length === 0 ? names : loaded.exports`
    : `const isEmpty = typeof loaded.exports === 'object' && Object.keys(loaded.exports).length === 0
const lib = isEmpty ? names : loaded.exports`
  return `// Run with Node.js: node reproducer.js
// It runs the code: use it where you would run that code.
${start}${check.kind === 'past-end' ? elementText : ''}${mode.startsWith('failing ') ? marksText : ''}const loaded = { exports: {} }
const names = ((module) => (function (${params.join(', ')}) {
// The code.
${js}
return { ${names.join(', ')} }
})(${[...args, ...given].join(', ')}))(loaded)
${lib}

// The proof.
${mode === 'usual' || !needsOutside ? '' : `// ${worlds[mode] ?? 'Calls out of the code fail.'}\nworld.mode = '${mode}'\n`}${needsOutside && check.kind === 'endless' ? 'world.maxCalls = Infinity\n' : ''}${checkText(check, call, effect)}
`
}
