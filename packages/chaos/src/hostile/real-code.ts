import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { randomBytes } from 'node:crypto'

const require = createRequire(import.meta.url)

/** 240 KB of code that people wrote and use. */
export function largeCode (): string {
  return unique('acorn')
}

/** 17 KB of it. */
export function mediumCode (): string {
  return unique('acorn-walk')
}

export function smallCode (): string {
  return `const name = '${randomBytes(8).toString('hex')}'\nexport const sum = (list) => list.reduce((a, b) => a + b, 0) + name.length\n`
}

/** An analysis of what was analyzed before may be remembered. */
function unique (module: string): string {
  return `${readFileSync(require.resolve(module), 'utf8')}\n// ${randomBytes(8).toString('hex')}\n`
}
