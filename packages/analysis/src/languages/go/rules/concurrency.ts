import { callee } from '../../../tree/calls.js'
import { ancestor, endsOf, following, kindOf, named } from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'
import { treeRulesOf } from '../../../rules/tree-rules.js'
import { functions, scopeOf } from './scope.js'
import { statementsOf } from '../../../concepts/functions.js'

const bug = treeRulesOf('go', 'go', 'bugs')

/** Further on nobody looks for the end of a critical section. */
const maxLockedStatements = 100

/** Whether a call is a statement of a goroutine's function, and nothing before it there mentions the name. */
function startsGoroutine(call: TreeNode, name: string): boolean {
  const body = ancestor(call, ['block'], functions)
  const starter = body?.parent()?.parent() ?? null
  if (kindOf(body?.parent()) !== 'func_literal' || kindOf(starter?.parent()) !== 'go_statement') {
    return false
  }
  const mentions = new RegExp(`\\b${name}\\b`)
  const first = statementsOf(body).find((statement) => mentions.test(statement.text()))
  return first !== undefined && named(first)[0]?.id() === call.id()
}

export const goConcurrencyRules = [
  bug.warning('lock-without-unlock', {
    sentence: 'This mutex is locked but never unlocked in this function.',
    suggestion: 'Add defer mu.Unlock() after the Lock call.',
    kinds: 'expression_statement',
    when: (node) => {
      const match = /^([\w.]+)\.(R?)Lock\(\)$/.exec(endsOf(node))
      return match !== null && scopeOf(node)?.unlocked.has(`${match[1]}.${match[2]}Unlock`) !== true
    }
  }),
  bug.warning('unlock-without-defer', {
    sentence: 'A return between Lock and Unlock leaves the mutex locked.',
    suggestion: 'Add defer mu.Unlock() after the Lock call.',
    kinds: 'expression_statement',
    when: (node) => {
      const match = /^([\w.]+)\.(R?)Lock\(\)$/.exec(endsOf(node))
      if (match === null || scopeOf(node)?.unlocked.has(`${match[1]}.${match[2]}Unlock`) !== true) {
        return false
      }
      const unlock = `${match[1]}.${match[2]}Unlock()`
      let next = following(node)
      let hasReturn = false
      for (let steps = 0; next !== null && next.text() !== unlock; next = following(next)) {
        if (++steps > maxLockedStatements) return false
        if (next.text().startsWith('defer ')) return false
        // A branch that unlocks before it returns is right, if hard to read.
        hasReturn ||= /\breturn\b/.test(next.text()) && !next.text().includes(unlock)
      }
      return next !== null && hasReturn
    }
  }),
  bug.error('add-in-goroutine', {
    sentence: 'WaitGroup.Add runs inside the goroutine, so Wait may return before it.',
    suggestion: 'Call Add before the go statement.',
    kinds: 'call_expression',
    when: (node, { source }) => {
      const group = /^(?:\w+\.)*(\w+)\.Add$/.exec(callee(node))?.[1]
      return (
        group !== undefined &&
        startsGoroutine(node, group) &&
        new RegExp(`\\b${group}\\b[^\\n]*\\bsync\\.WaitGroup\\b`).test(source.text)
      )
    },
    only: /\bsync\.WaitGroup\b/
  })
]
