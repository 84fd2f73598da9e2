import type { Language } from '@filewright/contracts'

/** Names that inspect the environment or reach beyond the code. A rewrite has no use for them. */
const surroundings = new Set(
  'globalThis global self window process Date performance stack eval Function Reflect Proxy prototype __proto__ constructor require'.split(
    ' '
  )
)

const pythonSurroundings = new Set(
  'sys os gc inspect ctypes importlib builtins __builtins__ globals locals vars eval exec __import__ getattr setattr delattr __subclasses__ __globals__ __code__ __closure__ __bases__ __mro__ _getframe f_back f_globals tb_frame gi_frame cr_frame platform time monotonic perf_counter'.split(
    ' '
  )
)

const builtIn =
  '(?:Object|Array|String|Number|Boolean|Symbol|JSON|Math|Promise|Reflect|Map|Set|WeakMap|Date|RegExp|Error|globalThis)'
const patched = new RegExp(
  `\\b${builtIn}(?:\\.prototype)?(?:\\.\\w{1,60}|\\[[^\\]\\n]{1,80}\\])\\s{0,8}=(?![=>])|` +
    `\\b(?:defineProperty|defineProperties|assign|setPrototypeOf)\\(\\s{0,8}${builtIn}\\b|\\b__\\w{1,40}(?:Getter|Setter)__\\b`
)

/** Whether the code modifies built-in objects. A run then proves nothing. */
export function patchesBuiltIns(code: string): boolean {
  return patched.test(code)
}

/** The first name that only the rewrite uses and that inspects its environment, if any. */
export function findForeignName(
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
  language: Language
): string | undefined {
  const strange = language === 'python' ? pythonSurroundings : surroundings
  return [...after].find((word) => strange.has(word) && !before.has(word))
}

const localTime =
  /\b[gs]et(?:FullYear|Year|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds|TimezoneOffset)\b|\bto(?:Date|Time)String\b/
const universalTime = /\b[gs]etUTC\w+|\bDate\.UTC\b|\bto(?:ISO|UTC|GMT)String\b|\btoJSON\b/
const ofLanguages = /\blocaleCompare\b|\btoLocale\w+|\bIntl\b/g

/**
 * Why a sandbox run proves nothing about a rewrite, or null. The sandbox has no locales and no time zone, so
 * code that depends on them looks the same there.
 */
export function findUnseen(before: string, after: string): string | null {
  const uses = (code: string): string => (code.match(ofLanguages) ?? []).sort().join(' ')
  if (uses(before) !== uses(after)) {
    return 'it depends on a language in another way, which the sandbox cannot show'
  }
  const times = (code: string): string => `${localTime.test(code)} ${universalTime.test(code)}`
  return times(before) === times(after)
    ? null
    : 'it depends on the time zone in another way, which the sandbox cannot show'
}
