import type { Language } from '@filewright/contracts'
import { endsOf, named } from './nodes.js'
import { remember } from '../remember.js'
import type { TreeNode } from './tree.js'

/** What a call is, in the languages in which it is one node with arguments. */
export const callKinds: Partial<Record<Language, string>> = {
  go: 'call_expression',
  java: 'method_invocation',
  python: 'call',
  rust: 'call_expression'
}

/** What a call calls, as it is written: `os.path.join`; in Java, the name of the method alone. */
export const callee = remember((call: TreeNode): string =>
  endsOf(call.field('function') ?? call.field('name'))
)

export const args = remember((call: TreeNode): TreeNode[] => named(call.field('arguments')))
