import { readdirSync, readFileSync } from 'node:fs'
import { canonicalLanguage, type Language } from '@filewright/contracts'
import { readExamples } from './examples.js'

export interface Snippet {
  language: Language
  /** File and place in it, to find it again. */
  title: string
  code: string
}

export interface FlawedSnippet extends Snippet {
  ruleId: string
  line: number
}

// Compiled to dist/test, while the snippets stay where they were written.
const folder = new URL('../../test/clean/', import.meta.url)

/** The bad examples of the rules. */
export function readFlawed(): FlawedSnippet[] {
  return readExamples()
    .filter(({ isBad }) => isBad)
    .map((example) => ({ ...example, line: example.lines[0]! }))
}

/** One Markdown file per language: a heading and a fenced block for each snippet. */
export function readClean(): Snippet[] {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const language = canonicalLanguage(file.replace(/\.md$/, ''))
      if (language === null) throw new Error(`${file} is named after no language`)
      const text = readFileSync(new URL(file, folder), 'utf8')
      return [...text.matchAll(/^## (.+)\n+```\n([\s\S]*?)^```$/gm)].map((match) => ({
        language,
        title: `${file}: ${match[1]!}`,
        code: match[2]!
      }))
    })
}
