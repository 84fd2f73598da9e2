import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { randomBytes } from 'node:crypto'

const require = createRequire(import.meta.url)

/** A quarter of a megabyte of real code, which is about the maximum. */
export function largeCode(): string {
  return unique('acorn', 'acorn-walk')
}

/** 17 KB of it. */
export function mediumCode(): string {
  return unique('acorn-walk')
}

/** 67 KB: a second's work. */
export function longCode(): string {
  return unique(...Array<string>(4).fill('acorn-walk'))
}

export function smallCode(): string {
  const sum = 'export const sum = (list) => list.reduce((a, b) => a + b, 0) + name.length'
  return `const name = '${randomBytes(8).toString('hex')}'\n${sum}\n`
}

/** An analysis of known code may be cached. */
function unique(...modules: string[]): string {
  const code = modules.map((name) => readFileSync(require.resolve(name), 'utf8')).join('\n')
  return `${code}\n// ${randomBytes(8).toString('hex')}\n`
}
