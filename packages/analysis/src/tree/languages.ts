import { createRequire } from 'node:module'
import { registerDynamicLanguage } from '@ast-grep/napi'
import type { Language } from '../languages.js'

/** Our languages that ast-grep parses, and the names it knows them by. */
export const treeLanguages = { go: 'go', java: 'java', rust: 'rust', shell: 'bash', python: 'python', html: 'html' } as const satisfies Partial<Record<Language, string>>

export type TreeLanguage = keyof typeof treeLanguages

export function isTreeLanguage (language: Language): language is TreeLanguage {
  return Object.hasOwn(treeLanguages, language)
}

let registered = false

/** The parsers are native libraries that ast-grep loads once; a second thread finds them there. */
export function registerTreeLanguages (): void {
  if (registered) return
  const load = createRequire(import.meta.url)
  registerDynamicLanguage(Object.fromEntries(['go', 'java', 'rust', 'bash', 'python'].map((name) => [name, load(`@ast-grep/lang-${name}`)])))
  registered = true
}
