import { readdirSync, readFileSync } from 'node:fs'
import { canonicalLanguage, type Language } from '@filewright/contracts'
import type { AnalysisType } from '../src/index.js'

export interface Snippet {
  language: Language
  /** File and heading, to find it again. */
  title: string
  code: string
}

export interface FlawedSnippet extends Snippet {
  analysisType: AnalysisType
  ruleId: string
  line: number
}

// Compiled to dist/test, while the snippets stay where they were written.
const folder = new URL('../../test/corpus/', import.meta.url)

/** One Markdown file per language: a heading and a fenced block for each snippet. */
function read(kind: 'flawed' | 'clean'): Snippet[] {
  return readdirSync(new URL(`${kind}/`, folder))
    .sort()
    .flatMap((file) => {
      const language = canonicalLanguage(file.replace(/\.md$/, ''))
      if (language === null) throw new Error(`${file} is named after no language`)
      const text = readFileSync(new URL(`${kind}/${file}`, folder), 'utf8')
      return [...text.matchAll(/^## (.+)\n+```\n([\s\S]*?)^```$/gm)].map((match) => ({
        language,
        title: `${file}: ${match[1]!}`,
        code: match[2]!
      }))
    })
}

export function readFlawed(): FlawedSnippet[] {
  return read('flawed').map((snippet) => {
    const [analysisType, ruleId, line] = snippet.title.replace(/^\S+ /, '').split(' ')
    return { ...snippet, analysisType: analysisType as AnalysisType, ruleId: ruleId!, line: Number(line) }
  })
}

export const readClean = (): Snippet[] => read('clean')
