import type { SqlRule } from '../rule.js'
import { find, firstOf, kindIs, rulesOf } from './shared.js'

const rule = rulesOf('security')

/** Fixed texts and quoted values, one after the other, and then something else. */
const fixedText = "'(?:[^']|'')*'"

const opens = `${fixedText}(?:\\s*\\|\\|\\s*(?:${fixedText}|quote_\\w+\\s*\\([^)]*\\)))*\\s*\\|\\|\\s*(?!quote_)[a-z_@]`

const dynamicSql: readonly RegExp[] = [
  new RegExp(`\\bexecute\\s+(?:immediate\\s+)?${opens}`, 'i'),
  /\bexecute\s+(?!format\b|procedure\b|function\b|immediate\b)\w+\s*\|\|/i,
  new RegExp(`:=\\s*(?='\\s*(?:select|insert|update|delete|drop|alter)\\b)${opens}`, 'i'),
  /\bexecute\s+format\s*\(\s*'(?:[^'%]|''|%[IL%])*%s/i,
  // T-SQL and MySQL.
  /=\s*N?'\s*(?:select|insert|update|delete|exec|drop|alter)\b(?:[^']|'')*'\s*\+\s*(?!quotename\b|N?'|char\s*\()[a-z_@]/i,
  /\bexec(?:ute)?\s*\(\s*(?:N?'(?:[^']|'')*'\s*\+\s*)?@\w+\s*[+)]/i,
  /\bset\s+@\w+\s*=\s*concat\s*\(\s*'\s*(?:select|insert|update|delete)\b/i
]

/** How a user of MySQL gets a password. */
const mysqlPassword = /^(?:create|alter)\s+user\b[^;]*?\bidentified\s+(?:with\s+\S+\s+)?by\s+'(?!\s*')/i

export const sqlSecurityRules: readonly SqlRule[] = [
  rule.warning('dynamic-sql', {
    sentence:
      'The statement is concatenated from strings, so a value containing SQL changes what it does (SQL injection).',
    suggestion:
      "Pass values with EXECUTE ... USING or sp_executesql parameters; quote names with format('%I') or QUOTENAME.",
    when: (statement) => firstOf(statement, dynamicSql)
  }),
  rule.warning('grant-all', {
    sentence:
      'The grant includes every privilege (ALL) or every role (PUBLIC), which is more than an application needs.',
    suggestion: 'Grant the privileges the application uses to a named role.',
    when: (statement) =>
      // MySQL grants on `*.*` and to `'name'@'host'`, which PostgreSQL's parser does not read.
      (kindIs(statement, 'GrantStmt') || find(statement, /^grant\s[^;]*\son\s/i) !== false) &&
      (find(statement, /^grant\s+all\b/i) !== false || find(statement, /\bto\s+public\b/i) !== false)
  }),
  rule.warning('superuser', {
    sentence: 'A SUPERUSER role bypasses every permission check in the database.',
    suggestion: 'Create the role with NOSUPERUSER and grant the privileges it needs.',
    when: (statement) =>
      (kindIs(statement, 'CreateRoleStmt') || kindIs(statement, 'AlterRoleStmt')) &&
      find(statement, /(?<!no)\bsuperuser\b/i)
  }),
  rule.error('plain-password', {
    sentence:
      'The password is in the script, so everyone with access to the repository or its history can log in.',
    suggestion: 'Change this password, and set the new one from a secret store when the role is created.',
    when: (statement) =>
      find(
        statement,
        kindIs(statement, 'CreateRoleStmt') || kindIs(statement, 'AlterRoleStmt')
          ? /\bpassword\s+'(?!\s*')/i
          : mysqlPassword,
        true
      )
  }),
  rule.warning('weak-hash', {
    sentence: 'MD5 and SHA-1 are broken, and so fast that attackers can guess passwords from their hashes.',
    suggestion: "Hash passwords with crypt() and gen_salt('bf'), and other data with sha256().",
    when: (statement) => find(statement, /\b(?:md5|sha1)\s*\(|\bdigest\s*\([^)]*'(?:md5|sha1)'/i, true)
  }),
  rule.warning('security-definer', {
    sentence:
      "A SECURITY DEFINER function without its own search_path can be made to call the caller's objects with the owner's privileges.",
    suggestion: 'Add SET search_path = <schema>, pg_temp to the function.',
    when: (statement) =>
      kindIs(statement, 'CreateFunctionStmt') &&
      find(statement, /\bset\s+search_path\b/i) === false &&
      find(statement, /\bsecurity\s+definer\b/i)
  })
]
