import type { Language } from '@filewright/contracts'

/** What only looks at where it runs, or reaches beyond the code: no rewrite has a need of it. */
const surroundings = new Set(
  'globalThis global self window process Date performance stack eval Function Reflect Proxy prototype __proto__ constructor require'.split(
    ' '
  )
)

const pythonSurroundings = new Set(
  'sys os gc inspect ctypes importlib builtins __builtins__ globals locals vars eval exec compile __import__ getattr setattr delattr __subclasses__ __globals__ __code__ __closure__ __bases__ __mro__ _getframe f_back f_globals tb_frame gi_frame cr_frame platform time monotonic perf_counter'.split(
    ' '
  )
)

const builtIn =
  '(?:Object|Array|String|Number|Boolean|Symbol|JSON|Math|Promise|Reflect|Map|Set|WeakMap|Date|RegExp|Error|globalThis)'
const patched = new RegExp(
  `\\b${builtIn}(?:\\.prototype)?(?:\\.\\w{1,60}|\\[[^\\]\\n]{1,80}\\])\\s{0,8}=(?![=>])|` +
    `\\b(?:defineProperty|defineProperties|assign|setPrototypeOf)\\(\\s{0,8}${builtIn}\\b|\\b__\\w{1,40}(?:Getter|Setter)__\\b`
)

/** Whether the code changes what the language itself does: then a run of it shows nothing. */
export function patchesBuiltIns(code: string): boolean {
  return patched.test(code)
}

/** A name in the rewrite alone that looks at its surroundings, if there is one. */
export function findStranger(
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
  language: Language
): string | undefined {
  const strange = language === 'python' ? pythonSurroundings : surroundings
  return [...after].find((word) => strange.has(word) && !before.has(word))
}

/** Of collections, iterators and texts: a rewrite may need them where a loop stood. */
const tools =
  /^(?:join|append|extend|add|items|keys|values|get|setdefault|update|copy|sort|sorted|strip|split|format|startswith|endswith|stream|map|filter|collect|toList|toSet|mapToInt|mapToLong|mapToDouble|mapToObj|flatMap|sum|count|reduce|anyMatch|allMatch|noneMatch|contains|containsKey|computeIfAbsent|getOrDefault|of|iter|iter_mut|into_iter|copied|cloned|enumerate|zip|any|all|fold|push|push_str|with_capacity|extend_from_slice|len|size|length|isEmpty|is_empty|Builder|WriteString|String|Grow|Contains|Join|Equal|Collectors|joining|groupingBy|counting|toString|to_string|entry|or_insert|or_default|append_all|addAll|putAll|put|hasNext|next|iterator|from_iterable|chain|Counter|defaultdict|most_common|Close|close|gather)$/

const bare = (code: string): string =>
  code.replace(/(?:\/\/|#)[^\n]*/g, '').replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/g, '""')

const matches = (code: string, pattern: RegExp): Set<string> =>
  new Set([...code.matchAll(pattern)].map(([, found = '']) => found))

/**
 * Why a rewrite in a language that is not run here does something else, as far as its text tells: other
 * properties, another kind of calculation, no result any more.
 */
export function findOtherMeaning(before: string, after: string): string | null {
  const [old, fresh] = [bare(before), bare(after)]
  const member = /(?:\.|->|::)\s{0,4}([A-Za-z_]\w{0,60})/g
  const [had, has] = [matches(old, member), matches(fresh, member)]
  const added = [...has].find((name) => !had.has(name) && !tools.test(name))
  if (added !== undefined) return `it uses .${added}, which the original does not`
  const lost = [...had].find((name) => !has.has(name) && !tools.test(name))
  if (lost !== undefined) return `it no longer uses .${lost}`
  const calculation = /[\w)\]]\s{0,4}(\*\*|\/\/|[-*/%])=?\s{0,4}[\w(]/g
  const [did, does] = [matches(old, calculation), matches(fresh, calculation)]
  const other = [...does].find((operator) => !did.has(operator))
  if (other !== undefined) return `it calculates with ${other}, which the original does not`
  const gives = (code: string): boolean => /\breturn\b[ \t]{0,8}[^\s;}]/.test(code)
  return gives(old) && !gives(fresh) && !/\bfn\b/.test(old) ? 'it gives no result any more' : null
}
