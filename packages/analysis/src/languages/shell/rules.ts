import { looksLikeSql } from '../../text/sql-text.js'
import {
  ancestor,
  below,
  endsOf,
  following,
  hasText,
  kindOf,
  named,
  remember,
  textOf
} from '../../tree/nodes.js'
import type { Tree, TreeNode } from '../../tree/tree.js'
import { neverUsed, treeRulesOf, words } from '../../rules/tree-rules.js'

const security = treeRulesOf('sh', 'shell', 'security')
const performance = treeRulesOf('sh', 'shell', 'performance')
const bug = treeRulesOf('sh', 'shell', 'bugs')
const style = treeRulesOf('sh', 'shell', 'style')

const loops = ['for_statement', 'while_statement', 'c_style_for_statement']
const name = remember((command: TreeNode) => textOf(command.field('name')))
const args = remember((command: TreeNode): TreeNode[] =>
  named(command).filter(
    (each) => !/^(?:command_name|variable_assignment|file_redirect|herestring_redirect)$/.test(kindOf(each))
  )
)
const isExpansion = (node: TreeNode): boolean =>
  /^(?:simple_expansion|expansion|command_substitution)$/.test(kindOf(node))
/** Numbers and the special parameters that are one never hold blanks. */
/** Options kept in one variable are meant to fall apart. */
const isOptions = (node: TreeNode): boolean =>
  /^\$\{?\w*(?:opts?|flags?|args?|options|cmd|command|params|cflags|files|list|packages|pkgs)\}?$/i.test(
    node.text()
  )
const isNumeric = (node: TreeNode): boolean =>
  isOptions(node) ||
  /^\$(?:[?#$!]|\{#\w+(?:\[[@*]\])?\}|(?:i|n|count|code|status|pid|port|size|num\w*|\w+_count|exit_code|rc)$|\(\()/.test(
    node.text()
  )

function pipelineBefore(command: TreeNode): TreeNode | null {
  const pipeline = command.parent()
  if (kindOf(pipeline) !== 'pipeline') return null
  const list = named(pipeline)
  return list[list.findIndex((each) => each.id() === command.id()) - 1] ?? null
}

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
    /\(\(([^)]*)\)\)|\b(?:export|readonly|printf -v|read|mapfile|declare|unset|-v)\s+([^\n;]*)/g
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

const runners = /^(?:sudo|(?:ba|z|da|k)?sh|python3?|perl|ruby|node|php)$/
const downloads = /^(?:curl|wget|fetch)\b/

/** A text with something put in. */
function isOpenText(node: TreeNode): boolean {
  return (
    kindOf(node) === 'string' &&
    (below(node, 'simple_expansion').length > 0 || below(node, 'expansion').length > 0)
  )
}

export const shellSecurityRules = [
  security(
    'eval',
    'warning',
    { sentence: 'eval runs text as a command.', suggestion: 'Keep commands in arrays or functions.' },
    'command',
    (node) =>
      name(node) === 'eval' &&
      args(node).some((each) => /\$/.test(each.text()) && !/^"?\$\([^$`]*\)"?$/.test(each.text()))
  ),
  security(
    'pipe-to-shell',
    'warning',
    {
      sentence: 'What is downloaded runs unseen.',
      suggestion: 'Download to a file, check its checksum, then run it.'
    },
    'command',
    (node) => {
      if (runners.test(name(node)) && downloads.test(textOf(pipelineBefore(node)))) return true
      // `bash <(curl …)`, `sh -c "$(curl …)"`, `eval "$(curl …)"`, `source <(curl …)`
      return (
        /^(?:(?:ba|z|da)?sh|eval|source|\.|python3?|sudo)$/.test(name(node)) &&
        args(node).some((each) => /^(?:<\(|["']?(?:\$\(|`))\s*(?:curl|wget)\b/.test(endsOf(each)))
      )
    }
  ),
  security('shell-concatenation', 'warning', words.shell, 'command', (node) => {
    const list = args(node)
    // What ssh is given after the host is a command for the shell there.
    if (name(node) === 'ssh') {
      return list
        .slice(1)
        .some((each) => isOpenText(each) && /\s/.test(each.text()) && !/=/.test(each.text().split(/\s/)[0]!))
    }
    const at = list.findIndex((each) => /^-\w*c$/.test(each.text()))
    return (
      /^(?:ba|z|da)?sh$|^su$/.test(name(node)) &&
      at !== -1 &&
      list[at + 1] !== undefined &&
      isOpenText(list[at + 1]!) &&
      !/\$\(\s*(?:curl|wget)/.test(endsOf(list[at + 1]!))
    )
  }),
  security(
    'sql-concatenation',
    'warning',
    words.sql,
    'command',
    (node) =>
      /^(?:psql|mysql|sqlite3|mariadb)$/.test(name(node)) &&
      args(node).some(
        (each) =>
          kindOf(each) === 'string' && /\$[{\w]/.test(each.text()) && looksLikeSql(each.text().slice(1))
      )
  ),
  security(
    'tls-check-disabled',
    'error',
    words.tls,
    'command',
    (node) =>
      (name(node) === 'curl' &&
        args(node).some((each) => /^(?:--insecure|-[a-zA-Z]*k[a-zA-Z]*)$/.test(each.text()))) ||
      (name(node) === 'wget' && hasText(node, /--no-check-certificate/)) ||
      (/^(?:ssh|scp|sftp|rsync)$/.test(name(node)) && hasText(node, /StrictHostKeyChecking[= ]no/)) ||
      (name(node) === 'git' && hasText(node, /http\.sslVerify[= ]false/))
  ),
  security(
    'world-writable',
    'warning',
    {
      sentence: 'The file is made writable for everyone.',
      suggestion: 'Give only the rights that are needed, such as 640.'
    },
    'command',
    (node) =>
      /^(?:chmod)$/.test(name(node)) &&
      args(node).some((each) => /^(?:0?[0-7]?777|0?666|a\+rwx|o\+w|a\+w|ugo\+rwx)$/.test(each.text()))
  ),
  security(
    'predictable-temp-file',
    'warning',
    { sentence: 'Another user can make a file of this name first.', suggestion: 'Use mktemp.' },
    ['variable_assignment', 'file_redirect'],
    (node) =>
      kindOf(node) === 'variable_assignment'
        ? /^["']?\/tmp\/[^"']*\$\$/.test(textOf(node.field('value')))
        : /^\d?&?>/.test(endsOf(node)) &&
          /^"?(?:\/var)?\/tmp\/[^"'/]*\$\$/.test(endsOf(node.field('destination')))
  ),
  security(
    'password-argument',
    'warning',
    {
      sentence: 'A password on the command line is visible to every user of the machine.',
      suggestion: 'Use a file that only you can read, or the environment.'
    },
    'command',
    (node) =>
      (/^(?:mysql|mysqldump|mariadb)$/.test(name(node)) &&
        args(node).some((each) => /^(?:-p[^\s$"'-]{3,}|--password=[^\s$]{3,})$/.test(each.text()))) ||
      (name(node) === 'curl' && /(?:-u|--user)\s+["']?[\w.-]+:[^\s$"']{3,}/.test(node.text())) ||
      (name(node) === 'sshpass' && /-p\s*["']?[^\s$"']{3,}/.test(node.text()))
  ),
  security(
    'weak-cipher',
    'error',
    words.weakCipher,
    'command',
    (node) =>
      name(node) === 'openssl' && /\benc\b[\s\S]*-(?:des\w*|rc[24]|bf|aes-\d+-ecb)\b/.test(node.text())
  ),
  security(
    'weak-hash',
    'warning',
    words.weakHash,
    'command',
    (node) =>
      /^(?:md5sum|sha1sum|md5)$/.test(name(node)) &&
      hasText(ancestor(node, ['variable_assignment', 'pipeline']), /pass|token|secret/i)
  )
]

export const shellPerformanceRules = [
  performance(
    'useless-cat',
    'info',
    { sentence: 'cat only hands the file on.', suggestion: 'Let the next command read the file itself.' },
    'command',
    (node) =>
      name(node) === 'cat' &&
      args(node).length === 1 &&
      !/^-/.test(args(node)[0]!.text()) &&
      kindOf(node.parent()) === 'pipeline' &&
      named(node.parent())[0]?.id() === node.id()
  ),
  performance(
    'expr',
    'info',
    { sentence: 'expr starts a program for every calculation.', suggestion: 'Use $(( )).' },
    'command',
    (node) => name(node) === 'expr'
  ),
  performance(
    'grep-count',
    'info',
    { sentence: 'wc counts what grep can count itself.', suggestion: 'Use grep -c.' },
    'command',
    (node) =>
      name(node) === 'wc' &&
      args(node).map(textOf).join() === '-l' &&
      /^e?f?grep\b/.test(textOf(pipelineBefore(node))) &&
      !/ -o/.test(textOf(pipelineBefore(node)))
  ),
  performance(
    'process-in-loop',
    'info',
    {
      sentence: 'Every round starts several programs to change one text.',
      suggestion: 'Use parameter expansion, or one program for all lines.'
    },
    'command_substitution',
    (node) => {
      if (ancestor(node, loops, ['function_definition']) === null) return false
      return /^\$\(\s*(?:echo|printf)\b[^|]*\|\s*(?:sed|awk|cut|tr|basename|dirname)\b[^|]*\)$/.test(
        node.text()
      )
    }
  ),
  performance(
    'query-in-loop',
    'warning',
    words.queryLoop,
    'command',
    (node) =>
      /^(?:psql|mysql|sqlite3|mariadb)$/.test(name(node)) &&
      ancestor(node, loops, ['function_definition']) !== null &&
      hasText(node, /-[ec]\b/)
  )
]

/** Commands that print or set words, where falling apart is harmless or meant. */
const takesWords =
  /^(?:echo|printf|set|export|local|readonly|declare|typeset|return|exit|shift|let|eval|test|\[|\[\[|read|unset|trap|exec|sleep|kill|wait|seq|:)$|\$/

export const shellBugRules = [
  bug(
    'unquoted-variable',
    'warning',
    {
      sentence: 'A value with blanks or wildcards falls apart here.',
      suggestion: 'Put the expansion into double quotes.'
    },
    'command',
    (node) => {
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
  ),
  bug(
    'unquoted-test',
    'warning',
    {
      sentence: 'The test breaks when the value is empty or has blanks.',
      suggestion: 'Put the expansion into double quotes, or use [[ ]].'
    },
    'test_command',
    (node) =>
      /^\[ /.test(node.text()) &&
      below(node, 'simple_expansion').some(
        (each) =>
          /^(?:binary_expression|unary_expression|test_command)$/.test(kindOf(each.parent())) &&
          !isNumeric(each) &&
          !/-(?:eq|ne|lt|gt|le|ge) /.test(node.text())
      )
  ),
  bug(
    'rm-unset-variable',
    'warning',
    {
      sentence: 'When the variable is empty, this deletes from the root.',
      suggestion: 'Write ${name:?} so that an empty value stops the script.'
    },
    'command',
    (node) =>
      name(node) === 'rm' &&
      /-\w*[rR]/.test(node.text()) &&
      args(node).some((each) => /^"?\$\{?\w+\}?"?\/(?:\*|[\w.]*)?"?$/.test(each.text()))
  ),
  bug(
    'assignment-blanks',
    'error',
    {
      sentence: 'With blanks around = this runs a command of that name and assigns nothing.',
      suggestion: 'Write name=value without blanks.'
    },
    'command',
    (node) =>
      /^[A-Za-z_]\w*$/.test(name(node)) &&
      !/^(?:test|expr|echo|printf|let)$/.test(name(node)) &&
      args(node)[0]?.text() === '=' &&
      !named(node).some((each) => kindOf(each) === 'variable_assignment')
  ),
  bug(
    'bash-only',
    'warning',
    {
      sentence: 'This needs bash, but the first line of the script names sh.',
      suggestion: 'Name bash in the first line, or write it in the way of sh.'
    },
    ['test_command', 'array'],
    (node, tree) => namesSh(tree) && (kindOf(node) === 'array' || endsOf(node).startsWith('[['))
  ),
  bug(
    'local-outside-function',
    'error',
    {
      sentence: 'local works in functions only.',
      suggestion: 'Drop local, or move the code into a function.'
    },
    'declaration_command',
    // Where the parser lost its way it may have lost the function as well.
    (node, tree) =>
      /^local\b/.test(endsOf(node)) &&
      ancestor(node, ['function_definition']) === null &&
      tree.nodes('ERROR').length === 0,
    { only: /\blocal\b/ }
  ),
  bug(
    'for-in-ls',
    'warning',
    {
      sentence: 'File names with blanks fall apart here.',
      suggestion: 'Loop over a wildcard: for file in ./*.'
    },
    'for_statement',
    (node) =>
      named(node).some(
        (each) => kindOf(each) === 'command_substitution' && /^(?:\$\(|`)\s*(?:ls|find)\b/.test(each.text())
      )
  ),
  bug(
    'cd-without-check',
    'warning',
    { sentence: 'When cd fails, the rest runs in the wrong folder.', suggestion: 'Write cd ... || exit.' },
    'command',
    (node, tree) => {
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
  ),
  bug(
    'read-without-r',
    'info',
    { sentence: 'read drops backslashes.', suggestion: 'Use read -r.' },
    'command',
    (node) => name(node) === 'read' && !args(node).some((each) => /^-\w*r/.test(each.text()))
  ),
  bug(
    'redirect-in-test',
    'error',
    { sentence: '> inside [ ] writes to a file.', suggestion: 'Use -gt or -lt, or (( )).' },
    ['test_command', 'redirected_statement'],
    (node) => /^\[ \S+ [<>] \S+/.test(node.text())
  ),
  bug(
    'useless-sudo-redirect',
    'warning',
    { sentence: 'The redirection runs without sudo.', suggestion: 'Pipe into sudo tee.' },
    'redirected_statement',
    (node) =>
      /^sudo (?:echo|cat|printf)\b/.test(node.text()) &&
      below(node, 'file_redirect').some((each) => !/\/dev\/null|&/.test(each.text()))
  ),
  bug('unreachable', 'warning', words.unreachable, 'command', (node) => {
    if (
      !/^(?:exit|exec)$/.test(name(node)) ||
      (name(node) === 'exec' && args(node).length === 0) ||
      !/^(?:program|compound_statement|do_group)$/.test(kindOf(node.parent()))
    ) {
      return false
    }
    return following(node, /^(?:comment|function_definition)$/)
  }),
  bug(
    'subshell-variable',
    'warning',
    {
      sentence: 'The loop runs in a subshell: what it assigns is lost afterwards.',
      suggestion: 'Feed the loop with done < <(...).'
    },
    'while_statement',
    (node, tree) => {
      if (kindOf(node.parent()) !== 'pipeline') return false
      const end = node.range().end.index
      return below(node, 'variable_assignment').some(
        (each) => (lastExpansions(tree).get(textOf(each.field('name'))) ?? -1) >= end
      )
    }
  ),
  bug(
    'xargs-without-null',
    'info',
    {
      sentence: 'File names with blanks fall apart here.',
      suggestion: 'Use find -print0 with xargs -0, or find -exec.'
    },
    'command',
    (node) =>
      name(node) === 'xargs' &&
      /^find\b/.test(textOf(pipelineBefore(node))) &&
      !args(node).some((each) => /^-\w*0|^--null$|^-d/.test(each.text()))
  ),
  bug('swallowed-error', 'info', words.swallowed, 'list', (node) =>
    /^(?:rm|cp|mv|git|npm|docker|tar|curl|make|psql|kubectl)\b[^&|]*(?:2>\s*\/dev\/null|&>\s*\/dev\/null)\s*\|\|\s*true$/.test(
      node.text()
    )
  ),
  bug(
    'unused-variable',
    'info',
    words.unused,
    'variable_assignment',
    (node, tree) => {
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
    neverUsed('declared', (node) => textOf(node.field('name')))
  )
]

export const shellStyleRules = [
  style(
    'backticks',
    'info',
    { sentence: 'Backticks are hard to nest and to read.', suggestion: 'Use $( ).' },
    'command_substitution',
    (node) => node.text().startsWith('`')
  ),
  style(
    'which',
    'info',
    { sentence: 'which is not the same on all systems.', suggestion: 'Use command -v.' },
    'command',
    (node) => name(node) === 'which'
  ),
  style(
    'function-keyword',
    'info',
    { sentence: 'function and () say the same thing twice.', suggestion: 'Write name() { ... }.' },
    'function_definition',
    (node) => /^function\s+[\w-]+\s*\(\)/.test(node.text())
  ),
  style(
    'let',
    'info',
    { sentence: 'let needs quoting and is hard to read.', suggestion: 'Use (( )).' },
    'command',
    (node) => name(node) === 'let'
  ),
  style(
    'exit-status',
    'info',
    {
      sentence: 'The exit status is read back instead of being tested.',
      suggestion: 'Put the command into the if.'
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
