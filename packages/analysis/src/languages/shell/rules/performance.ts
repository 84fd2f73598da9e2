import { ancestor, hasText, kindOf, named, textOf } from '../../../tree/nodes.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'
import { args, loops, name, pipelineBefore } from './commands.js'

const performance = treeRulesOf('sh', 'shell', 'performance')

export const shellPerformanceRules = [
  performance.info('useless-cat', {
    sentence: 'This cat is unnecessary: the next command can read the file itself.',
    suggestion: 'Pass the file as an argument, or redirect it with <.',
    kinds: 'command',
    when: (node) =>
      name(node) === 'cat' &&
      args(node).length === 1 &&
      !/^-/.test(args(node)[0]!.text()) &&
      kindOf(node.parent()) === 'pipeline' &&
      named(node.parent())[0]?.id() === node.id()
  }),
  performance.info('expr', {
    sentence: 'expr starts a process for every calculation.',
    suggestion: 'Use $((...)) instead.',
    kinds: 'command',
    when: (node) => name(node) === 'expr'
  }),
  performance.info('grep-count', {
    sentence: 'grep | wc -l starts a second process to count lines.',
    suggestion: 'Use grep -c instead.',
    kinds: 'command',
    when: (node) =>
      name(node) === 'wc' &&
      args(node).map(textOf).join() === '-l' &&
      /^e?f?grep\b/.test(textOf(pipelineBefore(node))) &&
      !/ -o/.test(textOf(pipelineBefore(node)))
  }),
  performance.info('process-in-loop', {
    sentence: 'This command substitution starts several processes on every iteration to change one string.',
    suggestion: 'Use parameter expansion, such as ${name%.*}, or one process for all lines.',
    kinds: 'command_substitution',
    when: (node) => {
      if (ancestor(node, loops, ['function_definition']) === null) return false
      return /^\$\(\s*(?:echo|printf)\b[^|]*\|\s*(?:sed|awk|cut|tr|basename|dirname)\b[^|]*\)$/.test(
        node.text()
      )
    }
  }),
  performance.warning('query-in-loop', {
    ...words.queryLoop,
    kinds: 'command',
    when: (node) =>
      /^(?:psql|mysql|sqlite3|mariadb)$/.test(name(node)) &&
      ancestor(node, loops, ['function_definition']) !== null &&
      hasText(node, /-[ec]\b/)
  })
]
