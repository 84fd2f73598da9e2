import { looksLikeSql } from '../../../text/sql-text.js'
import { ancestor, below, endsOf, hasText, kindOf, textOf } from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'
import { args, name, pipelineUpTo } from './commands.js'

const security = treeRulesOf('sh', 'shell', 'security')

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
  security.warning('eval', {
    sentence: 'eval runs its argument as shell code, so input can run other commands.',
    suggestion: 'Use an array, a function or ${!name} instead.',
    kinds: 'command',
    when: (node) =>
      name(node) === 'eval' &&
      args(node).some((each) => /\$/.test(each.text()) && !/^"?\$\([^$`]*\)"?$/.test(each.text()))
  }),
  security.warning('pipe-to-shell', {
    sentence: 'The downloaded script runs without being checked.',
    suggestion: 'Download the script to a file, verify its checksum, then run it.',
    kinds: 'command',
    when: (node) => {
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
  }),
  security.warning('shell-concatenation', {
    ...words.shell,
    suggestion: 'Pass the values as arguments, such as bash -c \'...\' _ "$value".',
    kinds: 'command',
    when: (node) => {
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
  }),
  security.warning('sql-concatenation', {
    ...words.sql,
    suggestion: "Pass the value as a variable, such as psql -v name=... and :'name'.",
    kinds: 'command',
    when: (node) =>
      /^(?:psql|mysql|sqlite3|mariadb)$/.test(name(node)) &&
      args(node).some(
        (each) =>
          kindOf(each) === 'string' && /\$[{\w]/.test(each.text()) && looksLikeSql(each.text().slice(1))
      )
  }),
  security.error('tls-check-disabled', {
    ...words.tls,
    sentence:
      'Certificate or host key verification is disabled, so an attacker on the network can intercept the connection.',
    kinds: 'command',
    when: (node) =>
      (name(node) === 'curl' &&
        args(node).some((each) => /^(?:--insecure|-[a-zA-Z]*k[a-zA-Z]*)$/.test(each.text()))) ||
      (name(node) === 'wget' && hasText(node, /--no-check-certificate/)) ||
      (/^(?:ssh|scp|sftp|rsync)$/.test(name(node)) && hasText(node, /StrictHostKeyChecking[= ]no/)) ||
      (name(node) === 'git' && hasText(node, /http\.sslVerify[= ]false/))
  }),
  security.warning('world-writable', {
    sentence: 'chmod lets every user write to this file.',
    suggestion: 'Use narrower permissions, such as 640.',
    kinds: 'command',
    when: (node) =>
      /^(?:chmod)$/.test(name(node)) &&
      args(node).some((each) => /^(?:0?[0-7]?777|0?666|a\+rwx|o\+w|a\+w|ugo\+rwx)$/.test(each.text()))
  }),
  security.warning('predictable-temp-file', {
    sentence: 'A temporary file name with $$ is predictable, so another user can create the file first.',
    suggestion: 'Create the file with mktemp.',
    kinds: ['variable_assignment', 'file_redirect'],
    when: (node) =>
      kindOf(node) === 'variable_assignment'
        ? /^["']?\/tmp\/[^"']*\$\$/.test(textOf(node.field('value')))
        : /^\d?&?>/.test(endsOf(node)) &&
          /^"?(?:\/var)?\/tmp\/[^"'/]*\$\$/.test(endsOf(node.field('destination')))
  }),
  security.warning('password-argument', {
    sentence: 'A password on the command line is visible to every user in the process list.',
    suggestion: 'Pass it in a file with mode 600 or in an environment variable.',
    kinds: 'command',
    when: (node) =>
      (/^(?:mysql|mysqldump|mariadb)$/.test(name(node)) &&
        args(node).some((each) => /^(?:-p[^\s$"'-]{3,}|--password=[^\s$]{3,})$/.test(each.text()))) ||
      (name(node) === 'curl' && /(?:-u|--user)\s+["']?[\w.-]+:[^\s$"']{3,}/.test(node.text())) ||
      (name(node) === 'sshpass' && /-p\s*["']?[^\s$"']{3,}/.test(node.text()))
  }),
  security.warning('weak-cipher', {
    ...words.weakCipher,
    kinds: 'command',
    when: (node) =>
      name(node) === 'openssl' && /\benc\b[\s\S]*-(?:des\w*|rc[24]|bf|aes-\d+-ecb)\b/.test(node.text())
  }),
  security.warning('weak-hash', {
    ...words.weakHash,
    kinds: 'command',
    when: (node) =>
      /^(?:md5sum|sha1sum|md5)$/.test(name(node)) &&
      hasText(ancestor(node, ['variable_assignment', 'pipeline']), /pass|token|secret/i)
  })
]
