// What a release says about itself: its section of the changelog, and what its migrations lock.
import { Failure } from '../../bin/lib/failure.mjs'

/** @param {string} changelog @param {string} version */
export function changelogSection(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1)
  const found = sections.find((section) => section.split(/[\s(]/)[0] === version)
  if (found === undefined) throw new Failure(`CHANGELOG.md has no section "## ${version}"`)
  const body = found.slice(found.indexOf('\n')).trim()
  if (body === '') throw new Failure(`the section ${version} of CHANGELOG.md is empty`)
  return body
}

/** @typedef {{ pattern: RegExp, says: string }} Kind */

/** By the first words of a statement; $1 is the table. A statement of no kind fails the release. @type {Kind[]} */
const KINDS = [
  { pattern: /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY .*? ON "?(\w+)/, says: '`$1`: nothing is blocked' },
  {
    pattern: /^CREATE (?:UNIQUE )?INDEX .*? ON "?(\w+)/,
    says: '`$1`: writes wait while the table is read once'
  },
  {
    pattern:
      /^ALTER TABLE "?(\w+)"? (?:ADD COLUMN|DROP COLUMN|SET \(|ALTER COLUMN "?\w+"? (?:SET|DROP) DEFAULT)(?!.*ADD CONSTRAINT)/,
    says: '`$1`: reads and writes wait for an instant'
  },
  {
    pattern: /^ALTER TABLE "?(\w+)/,
    says: '`$1`: reads and writes wait while the table is checked or rewritten'
  },
  {
    pattern: /^(?:CREATE|DROP) (?:CONSTRAINT )?TRIGGER .*? ON "?(\w+)/,
    says: '`$1`: writes wait for an instant'
  },
  { pattern: /^UPDATE "?(\w+)/, says: '`$1`: every row that changes is locked until the migration ends' },
  { pattern: /^DELETE FROM "?(\w+)/, says: '`$1`: every row that goes is locked until the migration ends' },
  { pattern: /^(?:INSERT INTO|WITH) .*? FROM "?(\w+)/, says: '`$1`: read once, nothing waits' },
  {
    pattern: /^LOCK TABLE (.*?) IN (?:SHARE|SHARE ROW EXCLUSIVE) MODE/,
    says: '`$1`: writes wait until the migration ends'
  },
  { pattern: /^(?:DROP|ALTER) INDEX/, says: 'reads and writes of an index wait for an instant' },
  {
    pattern:
      /^(?:INSERT INTO|CREATE TABLE|CREATE TYPE|CREATE (?:OR REPLACE )?FUNCTION|DROP FUNCTION|CREATE SEQUENCE|CREATE EXTENSION|COMMENT ON|SET |SELECT (?:set_config|gin_clean_pending_list)\()/,
    says: ''
  }
]

/**
 * What a migration makes wait, in tables that existed before it.
 * @param {string} sql
 * @returns {string[]}
 */
export function locksOf(sql) {
  /** @type {Set<string>} */
  const created = new Set()
  /** @type {Set<string>} */
  const locks = new Set()
  for (const statement of statementsOf(sql)) {
    const [, table] = /^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/.exec(statement) ?? []
    if (table !== undefined) created.add(table)
    const kind = KINDS.find(({ pattern }) => pattern.test(statement))
    if (kind === undefined) throw new Failure(`nobody has said what this locks: ${statement.slice(0, 200)}`)
    const [, of = ''] = kind.pattern.exec(statement) ?? []
    if (kind.says !== '' && !created.has(of)) locks.add(kind.says.replace('$1', of))
  }
  return [...locks]
}

/** Without comments, on one line each; what is between dollars is one word. @param {string} sql */
function statementsOf(sql) {
  return sql
    .replaceAll(/--.*$|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|'(?:[^']|'')*'/gm, (found) =>
      /^(?:--|\/\*)/.test(found) ? ' ' : found.startsWith('$') ? 'BODY' : "''"
    )
    .split(';')
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' '))
    .filter((statement) => statement !== '')
}

/**
 * @param {{ version: string, previous: string | undefined, migrations: Array<{ name: string, sql: string }> }} release
 */
export function upgradeNote({ version, previous, migrations }) {
  const rows = migrations.map(
    ({ name, sql }) => `| ${name} | ${locksOf(sql).join('; ') || 'nothing waits'} |`
  )
  const table =
    previous === undefined
      ? 'This is the first release: its migrations make the tables of an empty database.'
      : rows.length === 0
        ? `No migration since ${previous}: the tables stay as they are.`
        : [
            `${rows.length} migrations since ${previous}, in this order and in one transaction: what one of them locks stays locked until all have`,
            'ended. Time grows with the rows of a table that is read, checked or rewritten. A statement that takes longer than two minutes ends the',
            'transaction, and nothing has changed. Try it on a copy of your database first.',
            '',
            '| migration | waits |',
            '|---|---|',
            ...rows
          ].join('\n')
  return `## Upgrade to ${version}

${table}

1. Back up PostgreSQL, then the bucket (docs/operations/backup-and-upgrade.md).
2. With the new images: \`doctor --before-upgrade\`. It ends with code 1 if the upgrade would fail.
3. Migrate, replace the workers, then the gateways. The old gateways serve until the new ones are ready.

${rollback(previous, migrations.length)}
`
}

/** @param {string | undefined} previous @param {number} migrations */
function rollback(previous, migrations) {
  if (previous === undefined) return '**Roll back**: there is no older release.'
  const start = `**Roll back**: start the images of ${previous}.`
  return migrations === 0
    ? `${start} The tables are the same.`
    : `${start} They run with the new tables, but their \`migrate\` is refused. To remove the new tables, restore the backup.`
}

/** @param {string} version @param {string} signer */
export const verifyNote = (version, signer) => `## Verify

\`allowed_signers\` has one line, \`${signer} ssh-ed25519 …\`, with the public key that the project published elsewhere. Not from this folder.

\`\`\`sh
ssh-keygen -Y verify -f allowed_signers -I ${signer} -n filewright-release -s SHA256SUMS.sig < SHA256SUMS
sha256sum --check --strict SHA256SUMS
npm run release -- verify . --signers allowed_signers --tag v${version}    # does both, and compares the provenance
\`\`\`
`
