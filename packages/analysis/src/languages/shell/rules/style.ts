import { treeRulesOf } from '../../../rules/tree-rules.js'
import { name } from './commands.js'

const style = treeRulesOf('sh', 'shell', 'style')

export const shellStyleRules = [
  style(
    'backticks',
    'info',
    { sentence: 'Backticks are hard to read and to nest.', suggestion: 'Use $(...) instead.' },
    'command_substitution',
    (node) => node.text().startsWith('`')
  ),
  style(
    'which',
    'info',
    {
      sentence: 'which is not portable, and its exit status differs between systems.',
      suggestion: 'Use command -v instead.'
    },
    'command',
    (node) => name(node) === 'which'
  ),
  style(
    'function-keyword',
    'info',
    { sentence: 'The function keyword is redundant with ().', suggestion: 'Use name() { ... }.' },
    'function_definition',
    (node) => /^function\s+[\w-]+\s*\(\)/.test(node.text())
  ),
  style(
    'let',
    'info',
    { sentence: 'let needs quoting for spaces and operators.', suggestion: 'Use (( )) instead.' },
    'command',
    (node) => name(node) === 'let'
  ),
  style(
    'exit-status',
    'info',
    {
      sentence: 'The exit status is tested through $? instead of directly.',
      suggestion: 'Use the command itself as the condition: if command; then.'
    },
    'test_command',
    (node) => /^\[\[? ["']?\$\?["']? (?:-eq|-ne|==?|!=) 0 \]\]?$/.test(node.text())
  ),
  style(
    'egrep',
    'info',
    { sentence: 'egrep and fgrep are obsolete.', suggestion: 'Use grep -E or grep -F.' },
    'command',
    (node) => /^[ef]grep$/.test(name(node))
  )
]
