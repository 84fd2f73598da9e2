import { canonicalLanguage } from '@filewright/contracts'
import { languageSigns } from './language-signs.js'

export const UNKNOWN = 'text'

/** Languages are recognizable early, and this runs while the user types. */
const MAX_CHARS = 10_000
/** Maximum number of times that one sign counts. More of the same proves no more. */
const MAX_HITS = 3
/** One weak sign may be a coincidence. */
const LEAST = 2
/** Two signs, or one unmistakable one. */
const ENOUGH = 4

const FENCED = /^```\w*\n[\s\S]*?^```/gm

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    // Too long to be read completely, contains comments, or is incomplete.
    return (
      /^\s*[[{]\s*("[^"\n]*"\s*:\s*["\d[{tfn-]|[[{"]|\/\/)/.test(text) &&
      !/^\s*(const|import|function)\b|=>/m.test(text)
    )
  }
}

function countOf(text: string, sign: RegExp): number {
  let hits = 0
  for (const hit of text.matchAll(sign)) {
    if (hit[0] !== '' && ++hits === MAX_HITS) break
  }
  return hits
}

/** Guesses the language of code; `text` when none matches. */
export function detectLanguage(code: string): string {
  const head = code.slice(0, MAX_CHARS)
  if (isJson(head)) return 'json'
  const scores = new Map<string, number>()
  const scoreOf = (language: string): number => scores.get(language) ?? 0
  // Text between fences is another language; the fences themselves are Markdown.
  const unfenced = head.replace(FENCED, '```')
  for (const [language, weight, sign] of languageSigns) {
    const hits = countOf(unfenced, sign)
    if (hits > 0) scores.set(language, scoreOf(language) + weight * hits)
  }
  addUp(scores, scoreOf)
  const [best] = [...scores].sort(([, a], [, b]) => b - a)
  return best === undefined || best[1] < LEAST ? UNKNOWN : best[0]
}

/** Some languages contain others: signs of the inner language also count for the outer one. */
function addUp(scores: Map<string, number>, scoreOf: (language: string) => number): void {
  const script = scoreOf('javascript')
  const typed = scoreOf('typescript')
  const markup = scoreOf('jsx')
  // Types alone may be comments or another language; markup alone may be HTML.
  const isTyped = typed >= ENOUGH && script > 0
  const hasMarkup = markup >= ENOUGH && script + typed > 0
  scores.set('typescript', isTyped ? typed + script : 0)
  scores.set('jsx', hasMarkup ? markup + script + scoreOf('html') : 0)
  if (isTyped && hasMarkup) scores.set('tsx', typed + markup + script + scoreOf('html'))
  // Object keys look like YAML.
  scores.set('yaml', scoreOf('yaml') - script)
  for (const dialect of ['scss', 'less']) {
    if (scoreOf(dialect) > 0) scores.set(dialect, scoreOf(dialect) + scoreOf('css'))
  }
  if (scoreOf('cpp') > 0) scores.set('cpp', scoreOf('cpp') + scoreOf('c'))
}

/** By file name first: a name is reliable, content is a guess. */
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
