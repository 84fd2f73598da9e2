import type { Fact } from './facts.js'
import type { Declared, Statement } from './form.js'
import { lastPart } from './tables.js'

/** A variable is known by its type, unless its value is of a narrower one: `Random r = new SecureRandom()`. */
export function typedPath(type: string, { path }: Fact): string {
  const made = /(?:^|[.:])([A-Z]\w*)(?:\.\w+)?\(\)$/.exec(path)?.[1]
  return made?.endsWith(type) === true ? made : type
}

/** The methods of all classes of this code. */
export function* methodsIn(statements: readonly Statement[]): Iterable<readonly [string, Declared]> {
  for (const each of statements) {
    if (each.does === 'block') yield* methodsIn(each.body)
    if (each.does !== 'declare' || each.declared.of === undefined) continue
    yield [`${each.declared.of}.${lastPart(each.declared.name)}`, each.declared]
  }
}
