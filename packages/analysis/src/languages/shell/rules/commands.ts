import { kindOf, named, textOf } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import type { TreeNode } from '../../../tree/tree.js'

export const loops = ['for_statement', 'while_statement', 'c_style_for_statement']

export const name = remember((command: TreeNode) => textOf(command.field('name')))

export const args = remember((command: TreeNode): TreeNode[] =>
  named(command).filter(
    (each) => !/^(?:command_name|variable_assignment|file_redirect|herestring_redirect)$/.test(kindOf(each))
  )
)

export const isExpansion = (node: TreeNode): boolean =>
  /^(?:simple_expansion|expansion|command_substitution)$/.test(kindOf(node))

/** The commands before one in its pipeline, first one first. */
export function pipelineUpTo(command: TreeNode): TreeNode[] {
  const pipeline = command.parent()
  if (kindOf(pipeline) !== 'pipeline') return []
  const list = named(pipeline)
  return list.slice(
    0,
    list.findIndex((each) => each.id() === command.id())
  )
}

export function pipelineBefore(command: TreeNode): TreeNode | null {
  return pipelineUpTo(command).at(-1) ?? null
}
