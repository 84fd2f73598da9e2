import type { Language } from '@filewright/contracts'
import { endsOf, named } from './nodes.js'
import { remember } from '../remember.js'
import type { TreeNode } from './tree.js'

/** What a call is, in the languages in which it is one node with a function and arguments. */
export const callKinds: Partial<Record<Language, string>> = {
  go: 'call_expression',
  python: 'call',
  rust: 'call_expression'
}

/** What a call calls, as it is written: `os.path.join`. */
export const callee = remember((call: TreeNode): string => endsOf(call.field('function')))

export const args = remember((call: TreeNode): TreeNode[] => named(call.field('arguments')))
