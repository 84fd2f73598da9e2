import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ROOT } from '../helpers/root.js'
import { checkAdvisories, licenceProblems, lockFileDigest } from './helpers/audit.js'

interface Facts {
  tag: string
  version: string
  commit: string
  previous: string | undefined
}
interface Build {
  archive: (root: string, name: string, prefix: string, commit: string, out: string) => void
  chartCommit: (root: string, facts: Facts) => string
  factsOf: (root: string, tag: string) => Facts
  seal: (root: string, facts: Facts, made: object) => Promise<string[]>
}
interface Verify {
  verify: (folder: string, expected: object) => Promise<{ files: number; commit: string }>
}
interface Notes {
  changelogSection: (changelog: string, version: string) => string
  locksOf: (sql: string) => string[]
  upgradeNote: (release: object) => string
}
const load = async (name: string): Promise<unknown> =>
  await import(new URL(`../../../scripts/release/${name}.mjs`, import.meta.url).href)
const { archive, chartCommit, factsOf, seal } = (await load('build')) as Build
const { verify } = (await load('verify')) as Verify
const { changelogSection, locksOf, upgradeNote } = (await load('notes')) as Notes

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd,
    encoding: 'utf8'
  })

/** A repository at the tag v1.2.3, with what a release reads of it. */
function repository(t: Test): string {
  const root = t.testdir({
    'package.json': '{ "version": "1.2.3" }',
    'package-lock.json': '{}',
    'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n## 1.2.3\n\n- New.\n\n## 1.2.2\n\n- Old.\n',
    infra: { helm: { filewright: { 'Chart.yaml': 'name: filewright\nversion: 1.2.3\n' } } }
  })
  git(root, 'init', '-q')
  git(root, 'add', '-A')
  git(root, 'commit', '-qm', 'a release')
  git(root, 'tag', 'v1.2.3')
  return root
}

function keyPair(folder: string, name: string): { key: string; signers: string } {
  const file = join(folder, name)
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
  const signers = join(folder, `${name}.signers`)
  writeFileSync(signers, `release@filewright ${readFileSync(`${file}.pub`, 'utf8')}`)
  return { key: readFileSync(file, 'utf8'), signers }
}

t.test('a release that was tampered with is refused, and one that was not is accepted', async (t) => {
  const root = repository(t)
  const facts = factsOf(root, 'v1.2.3')
  const out = join(root, '.git/release')
  mkdirSync(out)
  for (const name of ['chart.tgz', 'client.tgz', 'sbom-cli.cdx.json']) {
    writeFileSync(join(out, name), `the bytes of ${name}`)
  }
  const { key, signers } = keyPair(join(root, '.git'), 'ours')
  const stranger = keyPair(join(root, '.git'), 'stranger')
  await seal(root, facts, { out, key, audit: 'none', images: 'none' })
  const other = join(root, '.git/other')
  cpSync(out, other, { recursive: true })
  writeFileSync(join(other, 'client.tgz'), 'other bytes')
  for (const name of ['SHA256SUMS', 'SHA256SUMS.sig', 'provenance.intoto.json']) rmSync(join(other, name))
  await seal(root, facts, { out: other, key: stranger.key, audit: 'none', images: 'none' })

  t.match(await verify(out, { signers, tag: 'v1.2.3', commit: facts.commit }), {
    files: 4,
    commit: facts.commit
  })
  t.match(await verify(other, { signers: stranger.signers }), { files: 4 }, 'the other one is complete, too')
  const sums = execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], {
    cwd: out,
    encoding: 'utf8'
  })
  t.equal(sums, '', 'the documented command agrees')

  const attacks: Record<string, (folder: string) => void> = {
    'client.tgz was changed': (folder) => writeFileSync(join(folder, 'client.tgz'), 'other bytes'),
    'client.tgz is missing': (folder) => rmSync(join(folder, 'client.tgz')),
    'install.sh was added': (folder) => writeFileSync(join(folder, 'install.sh'), ''),
    'client.tgz is not a file': (folder) => {
      renameSync(join(folder, 'client.tgz'), join(folder, '../elsewhere'))
      symlinkSync('../elsewhere', join(folder, 'client.tgz'))
    },
    'there is no SHA256SUMS.sig': (folder) => rmSync(join(folder, 'SHA256SUMS.sig')),
    'signature of': (folder) => {
      writeFileSync(join(folder, 'SHA256SUMS'), readFileSync(join(other, 'SHA256SUMS')))
      writeFileSync(join(folder, 'client.tgz'), 'other bytes')
    },
    'is not good': (folder) => cpSync(other, folder, { recursive: true }),
    'provenance.intoto.json was changed': (folder) => {
      const path = join(folder, 'provenance.intoto.json')
      writeFileSync(path, readFileSync(path, 'utf8').replace(facts.commit, '0'.repeat(40)))
    }
  }
  for (const [message, attack] of Object.entries(attacks)) {
    const folder = join(root, '.git/attacked')
    rmSync(folder, { recursive: true, force: true })
    cpSync(out, folder, { recursive: true })
    attack(folder)

    await t.rejects(
      verify(folder, { signers }),
      { message: new RegExp(message.replaceAll('.', '\\.')) },
      message
    )
  }
  await t.rejects(
    verify(out, { signers: stranger.signers }),
    { message: /is not good/ },
    "somebody else's key"
  )
  await t.rejects(
    verify(out, { signers, tag: 'v1.2.4' }),
    { message: /v1\.2\.3, not v1\.2\.4/ },
    'an older release'
  )
  await t.rejects(verify(out, { signers, commit: 'f00' }), { message: /not f00/ })
})

t.test('a release is built from nothing but its tag', async (t) => {
  const root = repository(t)
  const refused = (message: RegExp, title: string): void => {
    t.throws(() => factsOf(root, 'v1.2.3'), { message }, title)
  }

  t.match(factsOf(root, 'v1.2.3'), { version: '1.2.3', commit: git(root, 'rev-parse', 'HEAD').trim() })
  t.equal(factsOf(root, 'v1.2.3').previous, undefined)
  t.throws(() => factsOf(root, 'main'), { message: /not a tag/ })
  t.throws(() => factsOf(root, 'v9.9.9'), { message: /found nothing/ })
  writeFileSync(join(root, 'extra.js'), '')
  refused(/files differ.*extra\.js/s, 'a file that is not in the tag')
  git(root, 'add', '-A')
  git(root, 'commit', '-qm', 'later')
  refused(/HEAD is another commit/, 'a later commit')
  git(root, 'tag', 'v1.2.4')
  t.throws(() => factsOf(root, 'v1.2.4'), { message: /package\.json has the version 1\.2\.3, not 1\.2\.4/ })
  git(root, 'rm', '-q', 'CHANGELOG.md')
  writeFileSync(join(root, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n')
  git(root, 'add', '-A')
  git(root, 'commit', '-qm', 'without notes')
  git(root, 'tag', '-f', 'v1.2.3')
  refused(/no section "## 1\.2\.3"/, 'without a section of the changelog')
})

t.test('a changelog section is the one of that version', async (t) => {
  const text = '# Changelog\n\n## Unreleased\n\n## 1.0.0\n\n- Final.\n\n## 1.0.0-rc.1\n\n- First.\n'

  t.equal(changelogSection(text, '1.0.0-rc.1'), '- First.')
  t.equal(changelogSection(text, '1.0.0'), '- Final.')
  t.throws(() => changelogSection('## 1.0.0\n\n## 0.9.0\n\n- Old.\n', '1.0.0'), { message: /is empty/ })
})

t.test('an advisory, and a question without an answer, fail a release', async (t) => {
  const folder = t.testdir({})
  const now = {
    lockFile: lockFileDigest(ROOT),
    madeAt: new Date().toISOString(),
    advisories: [],
    packages: 700
  }
  const check = async (report: unknown): Promise<string> => {
    const file = join(folder, 'audit.json')
    writeFileSync(file, JSON.stringify(report))
    return await checkAdvisories(ROOT, file)
  }

  t.match(await check(now), /no advisory for 700 packages/)
  await t.rejects(check({ ...now, advisories: ['bad <2: reads too far'] }), { message: /bad <2/ })
  await t.rejects(check({ ...now, lockFile: 'another' }), { message: /another package-lock\.json/ })
  await t.rejects(check({ ...now, madeAt: '2020-01-01T00:00:00Z' }), { message: /at most 7 days/ })
  await t.rejects(check({ ...now, madeAt: 'never' }), { message: /at most 7 days/ })
  await t.rejects(check({ ...now, packages: 0 }), { message: /not complete/ })
})

t.test('every licence of a shipped package has been reviewed', async (t) => {
  const row = (name: string, licence: string): string => `| ${name} | 1.0.0 | ${licence} | gateway |\n`

  t.strictSame(licenceProblems(readFileSync(join(ROOT, 'THIRD-PARTY-NOTICES.md'), 'utf8')), [])
  t.strictSame(licenceProblems(row('a', '(MIT OR GPL-3.0-only)') + row('b', 'MIT AND Zlib')), [])
  t.strictSame(
    licenceProblems(row('c', 'GPL-3.0-only') + row('d', 'MIT AND GPL-2.0') + row('e', 'UNLICENSED')),
    ['c: GPL-3.0-only', 'd: MIT AND GPL-2.0', 'e: UNLICENSED']
  )
  t.throws(() => licenceProblems('# Third-party notices\n'), { message: /lists no package/ })
})

t.test('the upgrade note knows what every migration locks', async (t) => {
  const migrations = join(ROOT, 'packages/db/prisma/migrations')
  for (const entry of readdirSync(migrations, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    t.doesNotThrow(
      () => locksOf(readFileSync(join(migrations, entry.name, 'migration.sql'), 'utf8')),
      entry.name
    )
  }

  t.strictSame(
    locksOf('CREATE TABLE "a" ("id" int); CREATE INDEX "i" ON "a" ("id");'),
    [],
    'a new table blocks nobody'
  )
  t.match(locksOf('CREATE INDEX "i" ON "files" ("id");'), [
    /^`files`: writes wait while the table is read once/
  ])
  t.match(locksOf('ALTER TABLE "files" ADD COLUMN "x" int;'), [
    /^`files`: reads and writes wait for an instant/
  ])
  t.match(locksOf('ALTER TABLE "files" ALTER COLUMN "x" TYPE bigint;'), [/^`files`: .* rewritten/])
  t.strictSame(locksOf('-- a; b\nINSERT INTO "a" VALUES (\'x; DROP TABLE y\');'), [])
  t.throws(() => locksOf('TRUNCATE "files";'), { message: /nobody has said what this locks: TRUNCATE/ })
})

t.test('the upgrade note says what waits, and how to get back', async (t) => {
  const migrations = [{ name: '2027_rename', sql: 'ALTER TABLE "files" ADD COLUMN "x" int;' }]
  const note = upgradeNote({ version: '2.0.0', previous: 'v1.0.0', migrations })

  t.match(note, '| 2027_rename | `files`: reads and writes wait for an instant |')
  t.match(note, /start the images of v1\.0\.0\. .*restore the backup/)
  t.match(
    upgradeNote({ version: '2.0.0', previous: 'v1.0.0', migrations: [] }),
    /No migration since v1\.0\.0.*tables are the same/s
  )
  t.match(
    upgradeNote({ version: '1.0.0', previous: undefined, migrations }),
    /first release.*no older release/s
  )
})

t.test('chart and sources of a tag have the same bytes each time', async (t) => {
  const root = repository(t)
  const facts = factsOf(root, 'v1.2.3')
  const archives = (): Buffer[] =>
    ['a.tar.gz', 'b.tgz'].map((name, index) => {
      const file = join(root, '.git', name)
      archive(
        root,
        name,
        'filewright/',
        index === 0 ? facts.commit : chartCommit(root, facts),
        join(root, '.git')
      )
      return readFileSync(file)
    })
  const [first, second] = [archives(), archives()]

  t.ok(first.every((bytes, index) => bytes.equals(second[index] as Buffer)))
  t.match(
    execFileSync('tar', ['-tzf', join(root, '.git/b.tgz')], { encoding: 'utf8' }),
    /^filewright\/\nfilewright\/Chart\.yaml\n$/
  )
})
