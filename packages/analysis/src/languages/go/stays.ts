import { ancestor, below, kindOf, named, textOf } from '../../tree/nodes.js'
import { remember } from '../../remember.js'
import { addTo } from '../../lists.js'
import type { TreeNode } from '../../tree/tree.js'

/** Functions that are done with what they read or write when they return. */
const finishes =
  /^(?:io\.(?:ReadAll|Copy|CopyN|WriteString|ReadFull)|ioutil\.ReadAll|fmt\.(?:Fprint(?:f|ln)?|Fscan(?:f|ln)?))$/
/** Readers around it, which must stay in the function as well. */
const wraps =
  /^(?:bufio\.New(?:Scanner|Reader|Writer)|json\.New(?:Decoder|Encoder)|csv\.New(?:Reader|Writer)|xml\.New(?:Decoder|Encoder)|gob\.New(?:Decoder|Encoder))$/

/** Where a name is made: on the left of `:=`. On the right of it, and behind a return, it is handed on. */
function isDeclared(node: TreeNode): boolean {
  const list = node.parent()
  const declaration = kindOf(list) === 'expression_list' ? list!.parent() : null
  return kindOf(declaration) === 'short_var_declaration' && declaration!.field('left')?.id() === list!.id()
}

const identifiersOf = remember((scope: TreeNode) => {
  const places = new Map<string, TreeNode[]>()
  for (const each of below(scope, 'identifier')) addTo(places, each.text(), each)
  return places
})

/** A name in more places than this is too long to follow. */
const maxPlaces = 200

/**
 * Whether nothing that a name of a function holds leaves it: it is asked, read to its end, or wrapped. The
 * path says which field of it is read.
 */
export function staysIn(scope: TreeNode, name: string, path: string, steps = 0): boolean {
  const places = identifiersOf(scope).get(name) ?? []
  return (
    places.length <= maxPlaces &&
    places
      .filter((each) => !isDeclared(each))
      .every((each) => {
        let node = each
        let parent = node.parent()
        // `resp.Body` is what is read; other fields are values of their own.
        if (path !== '' && kindOf(parent) === 'selector_expression') {
          if (textOf(parent!.field('field')) !== path) return true
          node = parent!
          parent = node.parent()
        }
        if (ancestor(each, ['func_literal'], ['function_declaration', 'method_declaration']) !== null) {
          return false
        }
        if (kindOf(parent) === 'selector_expression' && parent!.field('operand')?.id() === node.id()) {
          return kindOf(parent!.parent()) === 'call_expression'
        }
        if (kindOf(parent) !== 'argument_list') return false
        const call = parent!.parent()!
        const callee = textOf(call.field('function'))
        return finishes.test(callee) || (wraps.test(callee) && wrapperStays(call, scope, steps))
      })
  )
}

function wrapperStays(call: TreeNode, scope: TreeNode, steps: number): boolean {
  const parent = call.parent()
  if (kindOf(parent) === 'selector_expression') return kindOf(parent!.parent()) === 'call_expression'
  const declaration = kindOf(parent) === 'expression_list' ? parent!.parent() : null
  const [name, ...others] = named(declaration?.field('left'))
  return (
    kindOf(declaration) === 'short_var_declaration' &&
    name !== undefined &&
    others.length === 0 &&
    steps === 0 &&
    staysIn(scope, name.text(), '', 1)
  )
}
