import { ancestor, below, endsOf, following, hasText, kindOf, named, textOf } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import type { Tree, TreeNode } from '../../../tree/tree.js'
import { neverUsed, treeRulesOf, words } from '../../../rules/tree-rules.js'
import { args, isExpansion, name, pipelineBefore } from './commands.js'

const bug = treeRulesOf('sh', 'shell', 'bugs')

/** Options kept in one variable are meant to be split. */
const isOptions = (node: TreeNode): boolean =>
  /^\$\{?\w*(?:opts?|flags?|args?|options|cmd|command|params|cflags|files|list|packages|pkgs)\}?$/i.test(
    node.text()
  )

/** Numbers, and special parameters that are numbers, never contain blanks. */
const isNumeric = (node: TreeNode): boolean =>
  isOptions(node) ||
  /^\$(?:[?#$!]|\{#\w+(?:\[[@*]\])?\}|(?:i|n|count|code|status|pid|port|size|num\w*|\w+_count|exit_code|rc)$|\(\()/.test(
    node.text()
  )

const stopsOnError = remember((tree: Tree): boolean =>
  /^[ \t]*set -\w*e|^#!.*\s-\w*e/m.test(tree.source.text)
)

/** Run by a shell that need not know more than the standard. */
const namesSh = remember((tree: Tree): boolean =>
  /^#!\s*(?:\/usr)?\/bin\/(?:env\s+)?(?:da)?sh\b/.test(tree.source.text)
)

/** Names read anywhere: expanded, used in arithmetic, or handed to a builtin by name. */
const usedNames = remember((tree: Tree): ReadonlySet<string> => {
  const names = new Set(
    tree
      .nodes('variable_name')
      .filter((each) => kindOf(each.parent()) !== 'variable_assignment')
      .map(textOf)
  )
  for (const match of tree.source.text.matchAll(
    /\(\(([^)]*)\)\)|\b(?:export|readonly|printf -v|read|mapfile|declare|local -n|unset|-v)\s+([^\n;]*)/g
  )) {
    for (const word of (match[1] ?? match[2]!).match(/[a-z_]\w*/gi) ?? []) names.add(word)
  }
  return names
})

/** Where each name is expanded for the last time. */
const lastExpansions = remember(
  (tree: Tree) =>
    new Map(
      Array.from(tree.source.text.matchAll(/\$\{?(\w+)/g), ({ 1: variable, index }) => [variable!, index])
    )
)

/** Commands that print or set words, where falling apart is harmless or meant. */
const takesWords =
  /^(?:echo|printf|set|export|local|readonly|declare|typeset|return|exit|shift|let|eval|test|\[|\[\[|read|unset|trap|exec|sleep|kill|wait|seq|:)$|\$/

export const shellBugRules = [
  bug.warning('unquoted-variable', {
    sentence: 'An unquoted variable is split at blanks, and wildcards in it are expanded.',
    suggestion: 'Double-quote the variable.',
    kinds: 'command',
    when: (node) => {
      if (name(node) === '' || takesWords.test(name(node))) return false
      return (
        args(node).find(
          (each) =>
            (isExpansion(each) && kindOf(each) !== 'command_substitution' && !isNumeric(each)) ||
            (kindOf(each) === 'concatenation' &&
              each.children().some((part) => isExpansion(part) && !isNumeric(part)))
        ) ?? false
      )
    }
  }),
  bug.warning('unquoted-test', {
    sentence: 'An unquoted variable breaks [ ] if its value is empty or contains blanks.',
    suggestion: 'Double-quote the variable, or use [[ ]].',
    kinds: 'test_command',
    when: (node) =>
      /^\[ /.test(node.text()) &&
      below(node, 'simple_expansion').some(
        (each) =>
          /^(?:binary_expression|unary_expression|test_command)$/.test(kindOf(each.parent())) &&
          !isNumeric(each) &&
          !/-(?:eq|ne|lt|gt|le|ge) /.test(node.text())
      )
  }),
  bug.warning('rm-unset-variable', {
    sentence: 'If the variable is empty, this rm command deletes files from /.',
    suggestion: 'Use "${name:?}", which stops the script if the variable is empty.',
    kinds: 'command',
    when: (node) =>
      name(node) === 'rm' &&
      /-\w*[rR]/.test(node.text()) &&
      args(node).some((each) => /^"?\$\{?\w+\}?"?\/(?:\*|[\w.]*)?"?$/.test(each.text()))
  }),
  bug.error('assignment-blanks', {
    sentence: 'With spaces around =, the shell runs a command of that name instead of assigning a variable.',
    suggestion: 'Remove the spaces around =.',
    kinds: 'command',
    when: (node) =>
      /^[A-Za-z_]\w*$/.test(name(node)) &&
      !/^(?:test|expr|echo|printf|let)$/.test(name(node)) &&
      args(node)[0]?.text() === '=' &&
      !named(node).some((each) => kindOf(each) === 'variable_assignment')
  }),
  bug.warning('bash-only', {
    sentence: 'This syntax needs bash, but the shebang is sh.',
    suggestion: 'Change the shebang to bash, or use POSIX syntax.',
    kinds: ['test_command', 'array'],
    when: (node, tree) => namesSh(tree) && (kindOf(node) === 'array' || endsOf(node).startsWith('[['))
  }),
  bug.error('local-outside-function', {
    sentence: 'local can only be used in a function.',
    suggestion: 'Remove local, or move the code into a function.',
    kinds: 'declaration_command',
    // Where the parser lost its way it may have lost the function as well.
    when: (node, tree) =>
      /^local\b/.test(endsOf(node)) &&
      ancestor(node, ['function_definition']) === null &&
      tree.nodes('ERROR').length === 0,
    only: /\blocal\b/
  }),
  bug.warning('for-in-ls', {
    sentence: 'File names with blanks are split into several words.',
    suggestion: 'Loop over a glob, such as for file in ./*.',
    kinds: 'for_statement',
    when: (node) =>
      named(node).some(
        (each) => kindOf(each) === 'command_substitution' && /^(?:\$\(|`)\s*(?:ls|find)\b/.test(each.text())
      )
  }),
  bug.warning('cd-without-check', {
    sentence: 'If cd fails, the following commands run in the wrong directory.',
    suggestion: 'Use cd ... || exit.',
    kinds: 'command',
    when: (node, tree) => {
      if (
        name(node) !== 'cd' ||
        args(node).length === 0 ||
        kindOf(node.parent()) === 'list' ||
        stopsOnError(tree)
      ) {
        return false
      }
      return (
        ancestor(node, ['if_statement', 'subshell', 'command_substitution'], ['function_definition']) ===
          null && kindOf(following(node, /^(?:comment|variable_assignment|declaration_command)$/)) !== ''
      )
    }
  }),
  bug.info('read-without-r', {
    sentence: 'read without -r removes backslashes from the input.',
    suggestion: 'Use read -r instead.',
    kinds: 'command',
    when: (node) => name(node) === 'read' && !args(node).some((each) => /^-\w*r/.test(each.text()))
  }),
  bug.error('redirect-in-test', {
    sentence: 'In [ ], < and > redirect a file instead of comparing.',
    suggestion: 'Use -gt or -lt, or (( )).',
    kinds: ['test_command', 'redirected_statement'],
    when: (node) => /^\[ \S+ [<>] \S+/.test(node.text())
  }),
  bug.warning('useless-sudo-redirect', {
    sentence: 'sudo does not apply to the redirection, so the shell writes the file without its rights.',
    suggestion: 'Pipe the output into sudo tee.',
    kinds: 'redirected_statement',
    when: (node) =>
      /^sudo (?:echo|cat|printf)\b/.test(node.text()) &&
      below(node, 'file_redirect').some((each) => !/\/dev\/null|&/.test(each.text()))
  }),
  bug.warning('unreachable', {
    ...words.unreachable,
    kinds: 'command',
    when: (node) => {
      if (
        !/^(?:exit|exec)$/.test(name(node)) ||
        (name(node) === 'exec' && args(node).length === 0) ||
        !/^(?:program|compound_statement|do_group)$/.test(kindOf(node.parent()))
      ) {
        return false
      }
      return following(node, /^(?:comment|function_definition)$/)
    }
  }),
  bug.warning('subshell-variable', {
    sentence: 'This loop runs in a subshell, so the variables it sets are lost after the pipeline.',
    suggestion: 'Use process substitution: done < <(command).',
    kinds: 'while_statement',
    when: (node, tree) => {
      if (kindOf(node.parent()) !== 'pipeline') return false
      const end = node.range().end.index
      return below(node, 'variable_assignment').some(
        (each) => (lastExpansions(tree).get(textOf(each.field('name'))) ?? -1) >= end
      )
    }
  }),
  bug.info('xargs-without-null', {
    sentence: 'File names with blanks are split into several words.',
    suggestion: 'Use find -print0 with xargs -0, or find -exec.',
    kinds: 'command',
    when: (node) =>
      name(node) === 'xargs' &&
      /^find\b/.test(textOf(pipelineBefore(node))) &&
      !args(node).some((each) => /^-\w*0|^--null$|^-d/.test(each.text()))
  }),
  bug.info('swallowed-error', {
    ...words.swallowed,
    sentence: '2>/dev/null with || true hides the error, so a failure looks like success.',
    kinds: 'list',
    when: (node) =>
      /^(?:rm|cp|mv|git|npm|docker|tar|curl|make|psql|kubectl)\b[^&|]*(?:2>\s*\/dev\/null|&>\s*\/dev\/null)\s*\|\|\s*true$/.test(
        node.text()
      )
  }),
  bug.info('unused-variable', {
    ...words.unused,
    kinds: 'variable_assignment',
    when: (node, tree) => {
      const variable = textOf(node.field('name'))
      if (
        !/^[a-z]\w*$/.test(variable) ||
        kindOf(node.parent()) === 'command' ||
        (kindOf(node.parent()) === 'declaration_command' &&
          hasText(node.parent(), /^(?:export|readonly|declare -x)/))
      ) {
        return false
      }
      return !usedNames(tree).has(variable)
    },
    ...neverUsed('declared', (node) => textOf(node.field('name')))
  })
]
