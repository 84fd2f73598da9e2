import { ancestor, below, endsOf, following, kindOf, named, textOf } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import { namesIn } from '../../../tree/scope.js'
import type { Tree, TreeNode } from '../../../tree/tree.js'
import { treeRulesOf } from '../../../rules/tree-rules.js'
import { statementsOf } from '../../../concepts/functions.js'
import { functions, scopeOf } from './scope.js'

const bug = treeRulesOf('go', 'go', 'bugs')

/** The fields that each struct of a file declares itself, without those of what it embeds. */
const fieldsOf = remember((tree: Tree): ReadonlyMap<string, ReadonlySet<string>> => {
  const structs = tree.nodes('type_spec').filter((spec) => kindOf(spec.field('type')) === 'struct_type')
  return new Map(
    structs.map((spec) => [
      textOf(spec.field('name')),
      new Set(
        below(spec.field('type')!, 'field_declaration').flatMap((field) =>
          field
            .children()
            .filter((each) => kindOf(each) === 'field_identifier')
            .map(textOf)
        )
      )
    ])
  )
})

/** The name and the type of a receiver that is a copy. */
function copiedReceiver(declaration: TreeNode): { name: string; type: string } | null {
  const match = /^\(\s*(\w+)\s+(\w+)(?:\[[^\]]*\])?\s*\)$/.exec(textOf(declaration.field('receiver')))
  return match === null || match[1] === '_' ? null : { name: match[1]!, type: match[2]! }
}

/** What an assignment or `n++` writes to, where that is one place. */
function targetOf(statement: TreeNode): TreeNode | null {
  if (kindOf(statement) === 'inc_statement' || kindOf(statement) === 'dec_statement') {
    return named(statement)[0] ?? null
  }
  const targets = named(statement.field('left'))
  return targets.length === 1 ? targets[0]! : null
}

const mapVariable = /^\s*(?:=\s*)?(?:make\(\s*)?map\[/

/** Maps that a file declares outside of any function. */
const packageMaps = remember(
  (tree: Tree): ReadonlySet<string> =>
    new Set(
      tree
        .nodes('var_spec')
        .filter((spec) => ancestor(spec, functions) === null)
        .map(endsOf)
        .flatMap((text) => {
          const [, name, rest] = /^(\w+)\s+([\s\S]*)$/.exec(text) ?? []
          return name !== undefined && mapVariable.test(rest!) ? [name] : []
        })
    )
)

const handler = /http\.ResponseWriter\b[\s\S]*\*http\.Request\b/
/** A function that waits for others, or has them wait for it. */
const synchronizes = /Lock\(\)|<-|\.Do\(|\batomic\./

/** Statements after which the next one runs. */
const goesOn =
  /^(?:(?:fmt|log|slog|klog|glog|logrus)\.(?:Print|Println|Printf|Info|Infof|Warn|Warnf|Warning|Warningf|Error|Errorf|Debug|Debugf)|(?:\w+\.)*log(?:ger)?\.(?:Print|Println|Printf|Info|Infof|Warn|Warnf|Error|Errorf|Debug|Debugf))\(/

const plainStatement = /^(?:expression|assignment|return|short_var)_(?:statement|declaration)$/

export const goLostWriteRules = [
  bug.warning('lost-field-write', {
    sentence: 'The receiver is a copy, so this write to its field is lost when the method returns.',
    suggestion: 'Use a pointer receiver.',
    kinds: ['assignment_statement', 'inc_statement', 'dec_statement'],
    when: (node, tree) => {
      const declaration = ancestor(node, ['method_declaration'], ['func_literal'])
      const receiver = declaration === null ? null : copiedReceiver(declaration)
      const target = targetOf(node)
      if (receiver === null || kindOf(target) !== 'selector_expression') return false
      const { name, type } = receiver
      const [, owner, field] = /^(\w+)\.(\w+)$/.exec(textOf(target)) ?? []
      // A field of an embedded pointer belongs to another struct.
      if (owner !== name || fieldsOf(tree).get(type)?.has(field!) !== true) return false
      const body = textOf(declaration!.field('body'))
      const start = declaration!.field('body')!.range().start.index
      const read = new RegExp(`(?<![\\w.])${name}\\b(?!\\.\\w+\\s*(?:=(?!=)|[-+*/|&^%]=|\\+\\+|--))`)
      return (
        !body.includes(`&${name}`) &&
        !read.test(body.slice(node.range().end.index - start)) &&
        // The next iteration reads what this one wrote.
        !read.test(textOf(ancestor(node, ['for_statement'], functions))) &&
        !below(declaration!, 'func_literal').some((each) => new RegExp(`\\b${name}\\b`).test(each.text())) &&
        // The name may stand for another variable there.
        !new RegExp(`\\b${name}\\s*:=|\\bvar ${name}\\b`).test(body)
      )
    }
  }),
  bug.warning('unsynchronized-map', {
    sentence:
      'HTTP handlers run concurrently, and concurrent writes to this package-level map crash the program.',
    suggestion: 'Guard the map with a sync.Mutex, or use a sync.Map.',
    kinds: ['assignment_statement', 'inc_statement', 'call_expression'],
    when: (node, tree) => {
      const name =
        kindOf(node) === 'call_expression'
          ? /^delete\((\w+),/.exec(endsOf(node))?.[1]
          : /^(\w+)\[[^\]]*\]$/.exec(textOf(targetOf(node)))?.[1]
      if (name === undefined || !packageMaps(tree).has(name)) return false
      const scope = scopeOf(node)
      if (scope === null || !handler.test(textOf(scope.node.field('parameters')))) return false
      const text = scope.node.text()
      return (
        !synchronizes.test(text) && !new RegExp(`\\b${name}\\s*(?:,[^=\\n]*)?:=|\\bvar ${name}\\b`).test(text)
      )
    },
    only: /http\.ResponseWriter/
  }),
  bug.error('nil-field', {
    sentence: 'The pointer is nil on one path to this line, and reading a field of a nil pointer panics.',
    suggestion: 'Return after the nil check, or assign a value.',
    kinds: 'if_statement',
    when: (node) => {
      const name = /^(\w+) == nil$/.exec(textOf(node.field('condition')))?.[1]
      const body = statementsOf(node.field('consequence'))
      if (name === undefined || node.field('alternative') !== null || node.field('initializer') !== null) {
        return false
      }
      if (body.length === 0 || !body.every((each) => goesOn.test(each.text()))) return false
      const mention = new RegExp(`(?<![\\w.])${name}\\b`)
      for (let next = following(node); next !== null; next = following(next)) {
        const text = next.text()
        if (!mention.test(text)) continue
        const isRead = new RegExp(`(?<![\\w.])${name}\\.\\w+\\b(?!\\s*\\()`).test(text)
        const isOther = namesIn(text, new RegExp(`(?<![\\w.])(${name})\\b(?!\\.)`, 'g')).size > 0
        return isRead && !isOther && plainStatement.test(kindOf(next)) && !/&&|\|\||\bfunc\b/.test(text)
          ? next
          : false
      }
      return false
    },
    only: /== nil/
  })
]
