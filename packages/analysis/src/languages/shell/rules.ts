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

/** The commands before one in its pipeline, first one first. */
function pipelineUpTo(command: TreeNode): TreeNode[] {
  const pipeline = command.parent()
  if (kindOf(pipeline) !== 'pipeline') return []
  const list = named(pipeline)
  return list.slice(
    0,
    list.findIndex((each) => each.id() === command.id())
  )
}

function pipelineBefore(command: TreeNode): TreeNode | null {
  return pipelineUpTo(command).at(-1) ?? null
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

const interpreters = /^(?:python3?|perl|ruby|node|php)$/

/** Whether a command, as its words, runs what it reads from its standard input. */
function runsInput([path = '', ...rest]: readonly string[]): boolean {
  const program = path.replace(/^.*\//, '')
  if (program === 'sudo') return runsInput(rest.slice(rest.findIndex((each) => !each.startsWith('-'))))
  if (interpreters.test(program)) return rest[0] === undefined || rest[0] === '-'
  if (!/^(?:ba|z|da|k)?sh$/.test(program)) return false
  // A script or a command of its own comes first, unless -s says otherwise.
  return (
    rest.some((each) => /^-\w*s$/.test(each)) ||
    !rest.some((each) => !each.startsWith('-') || /^-\w*c/.test(each))
  )
}

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
    {
      sentence: 'eval runs its argument as shell code, so input can run other commands.',
      suggestion: 'Use an array, a function or ${!name} instead.'
    },
    'command',
    (node) =>
      name(node) === 'eval' &&
      args(node).some((each) => /\$/.test(each.text()) && !/^"?\$\([^$`]*\)"?$/.test(each.text()))
  ),
  security(
    'pipe-to-shell',
    'warning',
    {
      sentence: 'The downloaded script runs without being checked.',
      suggestion: 'Download the script to a file, verify its checksum, then run it.'
    },
    'command',
    (node) => {
      if (
        runsInput([name(node), ...args(node).map(textOf)]) &&
        pipelineUpTo(node).some((each) => downloads.test(textOf(each)))
      ) {
        return true
      }
      // `bash <(curl …)`, `sh -c "$(curl …)"`, `eval "$(curl …)"`, `source <(curl …)`
      return (
        /^(?:(?:ba|z|da)?sh|eval|source|\.|python3?|sudo)$/.test(name(node)) &&
        args(node).some((each) => /^(?:<\(|["']?(?:\$\(|`))\s*(?:curl|wget)\b/.test(endsOf(each)))
      )
    }
  ),
  security(
    'shell-concatenation',
    'warning',
    { ...words.shell, suggestion: 'Pass the values as arguments, such as bash -c \'...\' _ "$value".' },
    'command',
    (node) => {
      const list = args(node)
      // What ssh is given after the host is a command for the shell there.
      if (name(node) === 'ssh') {
        return list
          .slice(1)
          .some(
            (each) => isOpenText(each) && /\s/.test(each.text()) && !/=/.test(each.text().split(/\s/)[0]!)
          )
      }
      const at = list.findIndex((each) => /^-\w*c$/.test(each.text()))
      return (
        /^(?:ba|z|da)?sh$|^su$/.test(name(node)) &&
        at !== -1 &&
        list[at + 1] !== undefined &&
        isOpenText(list[at + 1]!) &&
        !/\$\(\s*(?:curl|wget)/.test(endsOf(list[at + 1]!))
      )
    }
  ),
  security(
    'sql-concatenation',
    'warning',
    { ...words.sql, suggestion: "Pass the value as a variable, such as psql -v name=... and :'name'." },
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
    {
      ...words.tls,
      sentence:
        'Certificate or host key verification is disabled, so an attacker on the network can intercept the connection.'
    },
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
      sentence: 'chmod lets every user write to this file.',
      suggestion: 'Use narrower permissions, such as 640.'
    },
    'command',
    (node) =>
      /^(?:chmod)$/.test(name(node)) &&
      args(node).some((each) => /^(?:0?[0-7]?777|0?666|a\+rwx|o\+w|a\+w|ugo\+rwx)$/.test(each.text()))
  ),
  security(
    'predictable-temp-file',
    'warning',
    {
      sentence: 'A temporary file name with $$ is predictable, so another user can create the file first.',
      suggestion: 'Create the file with mktemp.'
    },
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
      sentence: 'A password on the command line is visible to every user in the process list.',
      suggestion: 'Pass it in a file with mode 600 or in an environment variable.'
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
    {
      sentence: 'This cat is unnecessary: the next command can read the file itself.',
      suggestion: 'Pass the file as an argument, or redirect it with <.'
    },
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
    { sentence: 'expr starts a process for every calculation.', suggestion: 'Use $((...)) instead.' },
    'command',
    (node) => name(node) === 'expr'
  ),
  performance(
    'grep-count',
    'info',
    { sentence: 'grep | wc -l starts a second process to count lines.', suggestion: 'Use grep -c instead.' },
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
      sentence: 'This command substitution starts several processes on every iteration to change one string.',
      suggestion: 'Use parameter expansion, such as ${name%.*}, or one process for all lines.'
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
      sentence: 'An unquoted variable is split at blanks, and wildcards in it are expanded.',
      suggestion: 'Double-quote the variable.'
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
      sentence: 'An unquoted variable breaks [ ] if its value is empty or contains blanks.',
      suggestion: 'Double-quote the variable, or use [[ ]].'
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
      sentence: 'If the variable is empty, this rm command deletes files from /.',
      suggestion: 'Use "${name:?}", which stops the script if the variable is empty.'
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
      sentence:
        'With spaces around =, the shell runs a command of that name instead of assigning a variable.',
      suggestion: 'Remove the spaces around =.'
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
      sentence: 'This syntax needs bash, but the shebang is sh.',
      suggestion: 'Change the shebang to bash, or use POSIX syntax.'
    },
    ['test_command', 'array'],
    (node, tree) => namesSh(tree) && (kindOf(node) === 'array' || endsOf(node).startsWith('[['))
  ),
  bug(
    'local-outside-function',
    'error',
    {
      sentence: 'local can only be used in a function.',
      suggestion: 'Remove local, or move the code into a function.'
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
      sentence: 'File names with blanks are split into several words.',
      suggestion: 'Loop over a glob, such as for file in ./*.'
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
    {
      sentence: 'If cd fails, the following commands run in the wrong directory.',
      suggestion: 'Use cd ... || exit.'
    },
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
    { sentence: 'read without -r removes backslashes from the input.', suggestion: 'Use read -r instead.' },
    'command',
    (node) => name(node) === 'read' && !args(node).some((each) => /^-\w*r/.test(each.text()))
  ),
  bug(
    'redirect-in-test',
    'error',
    {
      sentence: 'In [ ], < and > redirect a file instead of comparing.',
      suggestion: 'Use -gt or -lt, or (( )).'
    },
    ['test_command', 'redirected_statement'],
    (node) => /^\[ \S+ [<>] \S+/.test(node.text())
  ),
  bug(
    'useless-sudo-redirect',
    'warning',
    {
      sentence: 'sudo does not apply to the redirection, so the shell writes the file without its rights.',
      suggestion: 'Pipe the output into sudo tee.'
    },
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
      sentence: 'This loop runs in a subshell, so the variables it sets are lost after the pipeline.',
      suggestion: 'Use process substitution: done < <(command).'
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
      sentence: 'File names with blanks are split into several words.',
      suggestion: 'Use find -print0 with xargs -0, or find -exec.'
    },
    'command',
    (node) =>
      name(node) === 'xargs' &&
      /^find\b/.test(textOf(pipelineBefore(node))) &&
      !args(node).some((each) => /^-\w*0|^--null$|^-d/.test(each.text()))
  ),
  bug(
    'swallowed-error',
    'info',
    {
      ...words.swallowed,
      sentence: '2>/dev/null with || true hides the error, so a failure looks like success.'
    },
    'list',
    (node) =>
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
