import type { Language } from '@filewright/contracts'

/** Our languages that ast-grep parses, and the names it knows them by. */
export const treeLanguages = {
  go: 'go',
  java: 'java',
  rust: 'rust',
  shell: 'bash',
  python: 'python',
  html: 'html'
} as const satisfies Partial<Record<Language, string>>

export type TreeLanguage = keyof typeof treeLanguages

export function isTreeLanguage(language: Language): language is TreeLanguage {
  return Object.hasOwn(treeLanguages, language)
}
