import { readdirSync, readFileSync } from 'node:fs'
import { canonicalLanguage, type Language } from '@filewright/contracts'

export interface Example {
  ruleId: string
  language: Language
  isBad: boolean
  /** File and place in it, to find it again. */
  title: string
  code: string
  /** Lines that the rule must report, from 1; none of a good example. */
  lines: number[]
}

// Compiled to dist/test, while examples stay beside the rules.
const sources = new URL('../../src/', import.meta.url)
const fences = /^## (\S+)$|^```(\S+) (bad|good)\n([\s\S]*?)^```$/gm
/** A comment of the language at the end of the line. It is no part of the code that is analyzed. */
const mark = /[ \t]*(?:\/\/|#|--|\/\*|<!--|\{\/\*) bad(?: \*\/\}?| -->)?$/

/**
 * Examples stand beside the rules, in `examples/*.md`: a heading with the rule's id, then fenced blocks. The fence names
 * the language and says `bad` or `good`; in a bad one, `bad` in a comment marks each line that the rule must report.
 */
export function readExamples(): Example[] {
  return readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:^|[/\\])examples[/\\][^/\\]+\.md$/.test(file))
    .sort()
    .flatMap((file) => examplesIn(file, readFileSync(new URL(file, sources), 'utf8')))
}

function examplesIn(file: string, text: string): Example[] {
  let ruleId = ''
  const examples: Example[] = []
  for (const { index, 1: heading, 2: name, 3: verdict, 4: code } of text.matchAll(fences)) {
    if (heading !== undefined) ruleId = heading
    if (name === undefined || code === undefined) continue
    const title = `${file}:${text.slice(0, index).split('\n').length} ${ruleId}`
    const language = canonicalLanguage(name)
    if (language === null) throw new Error(`${title}: ${name} is not a language`)
    const lines = code.split('\n')
    examples.push({
      ruleId,
      language,
      isBad: verdict === 'bad',
      title,
      code: lines.map((line) => line.replace(mark, '')).join('\n'),
      lines: lines.flatMap((line, at) => (mark.test(line) ? [at + 1] : []))
    })
  }
  return examples
}
