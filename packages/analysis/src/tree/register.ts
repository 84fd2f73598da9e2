import { createRequire } from 'node:module'
import { registerDynamicLanguage } from '@ast-grep/napi'

let registered = false

/** The parsers are native libraries that ast-grep loads once; a second thread finds them there. */
export function registerTreeLanguages(): void {
  if (registered) return
  const load = createRequire(import.meta.url)
  registerDynamicLanguage(
    Object.fromEntries(
      ['go', 'java', 'rust', 'bash', 'python'].map((name) => [name, load(`@ast-grep/lang-${name}`)])
    )
  )
  registered = true
}
