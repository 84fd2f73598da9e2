import { canonicalLanguage, type Language } from '@filewright/contracts'
import { sameLanguage } from './fence-languages.js'

/** Lines typical of one language and rare in others. */
const signs: ReadonlyArray<readonly [Language, readonly RegExp[]]> = [
  [
    'python',
    [
      /^[ \t]*def \w+\([^\n]*:[ \t]*$/m,
      /^[ \t]*(?:from [\w.]+ import |import \w+$)/m,
      /^[ \t]*(?:elif |except\b.*:|if __name__ == )/m,
      /^[ \t]*(?:for \w+ in .+|while .+|if .+|class \w+.*):[ \t]*$/m
    ]
  ],
  [
    'go',
    [/^package \w+[ \t]*$/m, /^func (?:\(\w+ \*?\w+\) )?\w+\(/m, /\w := /, /\bfmt\.(?:Print|Sprint|Errorf)/]
  ],
  [
    'rust',
    [
      /\bfn \w+(?:<[^>\n]{1,40}>)?\([^{\n]{0,400} \{/,
      /\blet mut \w+/,
      /\bprintln!\(/,
      /^use (?:std|crate)::/m
    ]
  ],
  [
    'java',
    [
      /\bpublic (?:static |final )*(?:class|void|int|String|boolean)\b/,
      /\bSystem\.out\.print/,
      /^import java\./m
    ]
  ],
  [
    'javascript',
    [
      /\b(?:const|let) \w+ = /,
      /=> ?[{(]/,
      /\bconsole\.log\(/,
      /^(?:export|import) .*['"]/m,
      /\bfunction \w*\([^\n]{0,400}?\) \{/,
      /===/
    ]
  ],
  ['php', [/^<\?php/m, /\$\w+ = /, /\becho /]],
  ['ruby', [/^[ \t]*def \w[\w?!]*(?:\(.*\))?[ \t]*$/m, /^[ \t]*end[ \t]*$/m, /\bputs /]],
  ['csharp', [/^using System/m, /\bConsole\.Write/, /\bnamespace \w+/]],
  ['cpp', [/^#include </m, /\bstd::/, /\bcout <</]],
  ['c', [/^#include </m, /\bprintf\("/, /\bint main\(/]],
  ['html', [/^<!doctype html/im, /<\/(?:html|body|div|head)>/i]],
  [
    'sql',
    [/^[ \t]*(?:select|insert into|create table|update|delete from)\b/im, /\b(?:from|values|where)\b/i]
  ],
  ['shell', [/^#!.*\b(?:ba|z|k)?sh\b/m, /^[ \t]*(?:fi|done|esac)[ \t]*$/m, /\becho ["'$]/]]
]

/** Either may be used for the other: a superset or a dialect. */
const RELATED: ReadonlyArray<readonly string[]> = [
  ['javascript', 'jsx', 'typescript', 'tsx', 'vue', 'svelte', 'astro', 'angular', 'coffeescript', 'html'],
  [
    'html',
    'vue',
    'svelte',
    'angular',
    'ejs',
    'erb',
    'handlebars',
    'jinja',
    'liquid',
    'php',
    'xml',
    'css',
    'astro'
  ],
  ['css', 'scss', 'sass', 'less', 'stylus'],
  ['sql', 'mysql', 'tsql', 'plsql', 'bigquery', 'snowflake'],
  ['c', 'cpp', 'cuda', 'opencl', 'objectivec'],
  ['shell', 'fish', 'batch', 'dockerfile', 'makefile'],
  ['python', 'mojo', 'bazel', 'jinja'],
  ['yaml', 'ansible', 'helm', 'json', 'toml'],
  ['ruby', 'erb', 'crystal'],
  ['markdown', 'text', 'restructuredtext', 'asciidoc', 'latex']
]

const NEUTRAL: ReadonlySet<Language> = new Set(['text', 'markdown', 'diff'])

export function areRelated(a: Language, b: Language): boolean {
  return a === b || sameLanguage(a, b) || RELATED.some((group) => group.includes(a) && group.includes(b))
}

export function signCount(code: string, language: Language): number {
  const family = /^(?:jsx|typescript|tsx)$/.test(language) ? 'javascript' : language
  const patterns = signs.find(([each]) => each === family)?.[1] ?? []
  return patterns.filter((pattern) => pattern.test(code)).length
}

/** The language of the code, if two of its signs say so and no other language has as many. */
export function languageBySigns(code: string): Language | undefined {
  const counted = signs
    .map(([language, patterns]) => ({
      language,
      count: patterns.filter((pattern) => pattern.test(code)).length
    }))
    .sort((a, b) => b.count - a.count)
  const [best, next] = counted
  return best !== undefined && best.count >= 2 && best.count > (next?.count ?? 0) ? best.language : undefined
}

/**
 * Whether code is in another language than requested. The fence's word counts first; without one, the signs
 * decide. A caller with a parser of the wanted language uses that first.
 */
export function isOtherLanguage(wanted: Language, fence: string, code: string): boolean {
  const named = canonicalLanguage(fence)
  const written = named === null || NEUTRAL.has(named) ? languageBySigns(code) : named
  return written !== undefined && !NEUTRAL.has(wanted) && !areRelated(wanted, written)
}

const NAMES =
  'python|javascript|typescript|golang|go|rust|java|ruby|php|kotlin|swift|bash|sql|c\\+\\+|c#|html|css|scala|haskell|elixir|perl|lua|powershell'
const NAMED = [
  new RegExp(`\\b(?:in|using) (${NAMES})(?![\\w+#])`, 'gi'),
  new RegExp(
    `(?<![\\w.])(${NAMES}) (?:function|program|script|class|module|code|method|snippet|implementation|struct|query|page|stylesheet|server|cli)\\b`,
    'gi'
  )
]

/** The one language that a request names in its text; undefined for none or several. */
export function languageNamedIn(prompt: string): string | undefined {
  const names = NAMED.flatMap((pattern) =>
    [...prompt.slice(0, 4_000).matchAll(pattern)].map(([, name = '']) => name)
  )
  // "go" is also a verb.
  const meant = names
    .filter((name) => !/^go$/i.test(name) || name === 'Go')
    .map((name) => canonicalLanguage(name))
  const [first, ...others] = new Set(meant)
  return first === null || first === undefined || others.length > 0 ? undefined : first
}
