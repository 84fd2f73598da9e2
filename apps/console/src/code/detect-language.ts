import { canonicalLanguage } from '@filewright/contracts'

export const UNKNOWN = 'text'

/** Signs of a language, each as strong as it is rare elsewhere. */
const signs: Array<[language: string, sign: RegExp, weight: number]> = [
  ['shell', /^#!.*\b(ba|z|da|k)?sh\b/, 10],
  ['python', /^#!.*\bpython/, 10],
  ['javascript', /^#!.*\bnode\b/, 10],
  ['html', /^\s*<!doctype html|^\s*<html/i, 10],
  ['xml', /^\s*<\?xml/, 10],
  ['php', /^\s*<\?php/, 10],
  ['python', /^\s*def \w+\(.*\).*:\s*$/m, 4],
  ['python', /^\s*(from [\w.]+ import |import \w+(\.\w+)*\s*$)/m, 3],
  ['python', /^\s*(if|for|while|elif|else|try|with|class)\b[^{}]*:\s*$/m, 2],
  ['python', /\b(self|None|True|False|elif)\b/, 1],
  ['go', /^package \w+\s*$/m, 6],
  ['go', /\bfunc (\(\w+ \*?\w+\) )?\w+\(|:= /, 3],
  ['rust', /\bfn \w+(<[^>]*>)?\(.*\)( -> [^{]+)?\s*\{|\blet mut \b|\bimpl\b|println!\(/, 4],
  ['java', /\bpublic (static |final |abstract )*(class|interface|enum|void|int|String)\b/, 4],
  ['java', /^import (static )?[\w.]+(\.\*)?;\s*$|System\.out\.print/m, 4],
  ['csharp', /^using [\w.]+;|\bnamespace [\w.]+|Console\.Write/m, 4],
  ['c', /^#include\s*[<"]/m, 5],
  ['cpp', /\bstd::|^#include <(iostream|vector|string|memory)>|\btemplate\s*</m, 6],
  [
    'typescript',
    /\b(interface|type) \w+(<[^>]*>)? ?[={]|: (string|number|boolean|void|unknown|readonly )\b|\bas const\b/,
    4
  ],
  ['typescript', /^import type /m, 4],
  ['javascript', /\b(const|let|var) [\w{[][^=]*=|=>|\bfunction\b ?\w* ?\(|\brequire\(|\bconsole\.log\(/, 2],
  ['javascript', /^(export|import) .*(from ['"]|\bdefault\b|function|const)/m, 2],
  [
    'sql',
    /^\s*(select\b[\s\S]+\bfrom\b|insert into|update \w+ set|create (table|index|view)|alter table)/im,
    6
  ],
  ['css', /^[^{};\n]*[.#@a-z][^{};\n]*\{\s*\n?\s*[a-z-]+\s*:[^;{}]+;/m, 3],
  ['html', /<(div|span|p|a|body|head|script|section)\b[^>]*>/i, 2],
  ['ruby', /^\s*(def \w+[?!]?(\(.*\))?\s*$|require ['"]|end\s*$)/m, 3],
  ['json', /^\s*[[{]\s*("[^"]*"\s*:|[[{"\d\]}])/, 3],
  ['yaml', /^(---\s*$|[\w-]+:( .+)?\n([\w-]+:|\s+-? ?[\w-]+:?))/m, 3],
  ['shell', /^\s*(echo|fi|done|esac|export \w+=|set -e)\b/m, 3],
  ['dockerfile', /^FROM \S+(\s+AS \w+)?\s*$/m, 6],
  ['markdown', /^#{1,4} \w|^```|^\* \w|^- \w/m, 1]
]

const MOST_CHARS = 20_000

/** The language of a piece of code by its looks; `text` when nothing speaks for one. */
export function detectLanguage(code: string): string {
  const head = code.slice(0, MOST_CHARS)
  const scores = new Map<string, number>()
  for (const [language, sign, weight] of signs) {
    if (sign.test(head)) scores.set(language, (scores.get(language) ?? 0) + weight)
  }
  // TypeScript looks like JavaScript, and more.
  if (scores.has('typescript')) {
    scores.set('typescript', (scores.get('typescript') ?? 0) + (scores.get('javascript') ?? 0))
  }
  const [best] = [...scores].sort(([, a], [, b]) => b - a)
  return best?.[0] ?? UNKNOWN
}

/** By the name first: a name is a promise, looks are a guess. */
export function languageOfFile(name: string, code: string): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1] ?? name
  return canonicalLanguage(extension) ?? detectLanguage(code)
}

const extensions: Record<string, string> = {
  javascript: 'js',
  typescript: 'ts',
  python: 'py',
  rust: 'rs',
  ruby: 'rb',
  shell: 'sh',
  csharp: 'cs',
  kotlin: 'kt',
  markdown: 'md',
  text: 'txt',
  perl: 'pl',
  powershell: 'ps1',
  haskell: 'hs',
  elixir: 'ex',
  dockerfile: 'dockerfile'
}

/** For the name of a new file. */
export const extensionOf = (language: string): string => extensions[language] ?? language
