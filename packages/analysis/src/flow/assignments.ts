import type { Code } from './branches.js'
import { nothing, textFact, without, type Fact } from './facts.js'
import { spelling, type Target } from './form.js'
import { keepPart, keepSetting } from './objects.js'
import { cleanedBits, factOfField } from './origins.js'
import type { Scope } from './scope.js'
import { elementOf } from './values.js'

/** What the target of an assignment holds before it. */
export function targeted(target: Target, scope: Scope, { evaluate }: Code): Fact {
  switch (target.to) {
    case 'name':
      return scope.get(target.name) ?? nothing
    case 'field':
      return evaluate({ is: 'field', of: target.of, key: target.key }, scope)
    case 'parts':
      return nothing
  }
}

/** Gives a value to a name, a field or several of them. */
export function assign(target: Target, fact: Fact, scope: Scope, line: number, code: Code): void {
  const { reports, tables } = code
  switch (target.to) {
    case 'name':
      reports.checkApis({ path: `${target.name}=`, spelled: target.name, args: [fact], line })
      // A name without a known origin is known by itself: `db` says what it is.
      if (target.isNew === true) scope.declare(target.name, fact)
      else scope.assign(target.name, fact)
      return
    case 'parts':
      for (const [key, part] of target.parts) {
        const own = key === null ? elementOf(fact) : factOfField(fact, key, tables)
        assign(part, own, scope, line, code)
      }
      return
    case 'field':
      assignField(target, fact, scope, line, code)
  }
}

function assignField(
  { of, key, isCopy }: Extract<Target, { to: 'field' }>,
  fact: Fact,
  scope: Scope,
  line: number,
  { evaluate, reports, tables }: Code
): void {
  const owner = evaluate(of, scope)
  const name = spelling(of)
  const keyFact = typeof key === 'string' ? textFact(key) : evaluate(key, scope)
  reports.checkSinks({ path: `${owner.path}.field=`, spelled: name, args: [keyFact, fact], line })
  if (typeof key !== 'string') {
    const args = [keyFact, fact, owner]
    reports.checkSinks({ path: `${owner.path}.[]=`, spelled: name, args, line, isCopy })
  } else {
    const use = { path: `${owner.path}.${key}=`, spelled: `${name}.${key}`, args: [fact], line }
    reports.checkSinks(use)
    reports.checkApis(use)
    if (name !== '') scope.assign(`${name}.${key}`, fact)
    keepSetting(of, key, fact, scope)
  }
  // The query of an address does not choose its host.
  const harmless = typeof key === 'string' ? cleanedBits(`${owner.path}.${key}`, tables.tables) : 0
  keepPart(of, key, without(fact, harmless), scope)
}
