import { treeRulesOf } from '../../../rules/tree-rules.js'
import { name } from './commands.js'

const style = treeRulesOf('sh', 'shell', 'style')

export const shellStyleRules = [
  style.info('backticks', {
    sentence: 'Backticks are hard to read and to nest.',
    suggestion: 'Use $(...) instead.',
    kinds: 'command_substitution',
    when: (node) => node.text().startsWith('`')
  }),
  style.info('which', {
    sentence: 'which is not portable, and its exit status differs between systems.',
    suggestion: 'Use command -v instead.',
    kinds: 'command',
    when: (node) => name(node) === 'which'
  }),
  style.info('function-keyword', {
    sentence: 'The function keyword is redundant with ().',
    suggestion: 'Use name() { ... }.',
    kinds: 'function_definition',
    when: (node) => /^function\s+[\w-]+\s*\(\)/.test(node.text())
  }),
  style.info('let', {
    sentence: 'let needs quoting for spaces and operators.',
    suggestion: 'Use (( )) instead.',
    kinds: 'command',
    when: (node) => name(node) === 'let'
  }),
  style.info('exit-status', {
    sentence: 'The exit status is tested through $? instead of directly.',
    suggestion: 'Use the command itself as the condition: if command; then.',
    kinds: 'test_command',
    when: (node) => /^\[\[? ["']?\$\?["']? (?:-eq|-ne|==?|!=) 0 \]\]?$/.test(node.text())
  }),
  style.info('egrep', {
    sentence: 'egrep and fgrep are obsolete.',
    suggestion: 'Use grep -E or grep -F.',
    kinds: 'command',
    when: (node) => /^[ef]grep$/.test(name(node))
  })
]
