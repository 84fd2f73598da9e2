import type { Language } from '@filewright/contracts'

/** In these languages a single word does nothing; in a shell it is a program, and in JSON a value. */
const withStatements: ReadonlySet<string> = new Set<Language>([
  'javascript',
  'typescript',
  'jsx',
  'tsx',
  'python',
  'go',
  'rust',
  'java',
  'c',
  'cpp',
  'csharp',
  'ruby',
  'php',
  'kotlin',
  'swift',
  'scala'
])

const COMMENTS = /\/\*[^]*?\*\/|(?:\/\/|#|--)[^\n]*/g
const HEADS =
  /^[ \t]*(?:package [\w.]+;?|import (?:[\w.]+|["'][^"'\n]+["']);?|#include [^\n]+|using [\w.]+;|<\?php)[ \t]*$/gm
const WORDS = /[\p{L}\p{N}_$]+/gu

/**
 * Whether a text has at most one word besides its imports. It parses in many languages, but is never the
 * requested result.
 */
export function isTrivialProgram(code: string, language: Language | null): boolean {
  if (language === null || !withStatements.has(language)) return false
  const text = code.trim()
  // A long program without a word is the same character repeated.
  if (text.length > 200) return !/[\p{L}\p{N}]/u.test(text)
  return (text.replace(COMMENTS, '').replace(HEADS, '').match(WORDS)?.length ?? 0) <= 1
}
