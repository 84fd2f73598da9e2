// Builds everything that a release consists of from a tag, into one folder.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { Failure } from '../../bin/lib/failure.mjs'
import { run, runNpm } from '../../bin/lib/run.mjs'
import { checkAdvisories, checkLicences, lockFileDigest } from './audit.mjs'
import { changelogSection, upgradeNote, verifyNote } from './notes.mjs'
import { sign } from './signature.mjs'
import { digestOf, PROVENANCE, SIGNER, SUMS } from './verify.mjs'

const APPS = ['gateway', 'admin', 'scan-worker', 'inference-worker', 'delivery-worker']
const PACKAGES = ['apps/cli', 'packages/client']
const CHART = 'infra/helm/filewright'
const MIGRATIONS = 'packages/db/prisma/migrations'

/** @typedef {{ tag: string, version: string, commit: string, time: string, previous: string | undefined }} Facts */

/**
 * @param {string} root
 * @param {{ tag: string, out: string, key: string | undefined, auditReport?: string | undefined, images: 'auto' | 'yes' | 'no', say: (line: string) => void }} options
 */
export async function buildRelease(root, { tag, out, key, auditReport, images, say }) {
  const facts = factsOf(root, tag)
  mkdirSync(out, { recursive: true })
  if (readdirSync(out).length > 0) throw new Failure(`${out} is not empty`)
  checkLicences(root)
  const audit = await checkAdvisories(root, auditReport)
  say(`Advisories: ${audit}`)
  await need(
    'the chart is current',
    run(process.execPath, ['infra/tooling/scripts/helm-chart.mjs', '--check'], { cwd: root })
  )
  await need('the packages', runNpm(['run', '-s', 'packages', '--', '--out', out], { cwd: root }))
  archive(
    root,
    `filewright-${facts.version}-source.tar.gz`,
    `filewright-${facts.version}/`,
    facts.commit,
    out
  )
  archive(root, `filewright-chart-${facts.version}.tgz`, 'filewright/', chartCommit(root, facts), out)
  for (const workspace of [...APPS.map((app) => `apps/${app}`), ...PACKAGES]) {
    await writeSbom(root, workspace, facts, out)
  }
  const built = await buildImages(root, facts, out, images, say)
  const notes = [
    `# Filewright ${facts.version}`,
    changelogSection(git(root, 'show', `${facts.commit}:CHANGELOG.md`), facts.version),
    upgradeNote({ ...facts, migrations: newMigrations(root, facts) }),
    verifyNote(facts.version, SIGNER)
  ]
  writeFileSync(join(out, 'RELEASE_NOTES.md'), notes.join('\n\n'))
  for (const line of await seal(root, facts, { out, key, audit, images: built })) say(line)
}

/**
 * Writes the provenance, the sums and the signature beside the artefacts in the folder.
 * @param {string} root @param {Facts} facts
 * @param {{ out: string, key: string | undefined, audit: string, images: string }} made
 */
export async function seal(root, facts, { out, key, audit, images }) {
  const subjects = []
  for (const name of readdirSync(out).sort()) {
    subjects.push({ name, digest: { sha256: await digestOf(join(out, name)) } })
  }
  const statement = provenance(root, facts, subjects, audit, images)
  writeFileSync(join(out, PROVENANCE), `${JSON.stringify(statement, null, 2)}\n`)
  const lines = [
    ...subjects.map(({ name, digest }) => [digest.sha256, name]),
    [await digestOf(join(out, PROVENANCE)), PROVENANCE]
  ]
  writeFileSync(join(out, SUMS), lines.map((line) => `${line.join('  ')}\n`).join(''))
  if (key !== undefined) sign(join(out, SUMS), key)
  return lines.map(([digest = '', name]) => `${digest.slice(0, 16)}…  ${name}`)
}

/** Refuses anything but the very state of the tag. @param {string} root @param {string} tag @returns {Facts} */
export function factsOf(root, tag) {
  const version = /^v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(tag)?.[1]
  if (version === undefined) throw new Failure(`${tag} is not a tag such as v1.0.0 or v1.0.0-rc.1`)
  const commit = git(root, 'rev-parse', '--verify', '--quiet', `refs/tags/${tag}^{commit}`).trim()
  if (git(root, 'rev-parse', 'HEAD').trim() !== commit) {
    throw new Failure(`check out ${tag} first: HEAD is another commit`)
  }
  const changes = git(root, 'status', '--porcelain').trim()
  if (changes !== '') throw new Failure(`files differ from ${tag}:\n${changes}`)
  for (const path of ['package.json', `${CHART}/Chart.yaml`]) {
    const found = parse(readFileSync(join(root, path), 'utf8')).version
    if (found !== version) {
      throw new Failure(
        `${path} has the version ${found}, not ${version}: npm run release -- prepare ${version}`
      )
    }
  }
  changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
  const time = new Date(Number(git(root, 'show', '-s', '--format=%ct', commit)) * 1_000).toISOString()
  const { status, stdout } = spawnSync(
    'git',
    ['describe', '--tags', '--abbrev=0', '--match=v*', `${commit}^`],
    {
      cwd: root,
      encoding: 'utf8'
    }
  )
  return { tag, version, commit, time, previous: status === 0 ? stdout.trim() : undefined }
}

/** @param {string} root @param {...string} args */
function git(root, ...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
  if (status !== 0) throw new Failure(`git ${args.join(' ')}: ${stderr.trim() || 'found nothing'}`)
  return stdout
}

/** @param {string} what @param {Promise<{ code: number, output: string }>} running */
async function need(what, running) {
  const { code, output } = await running
  if (code !== 0) throw new Failure(`${what}: code ${code}\n${output.trim().slice(-2_000)}`)
}

/** git writes the commit's time to every file, so that the same tag gives the same bytes. @param {string} root @param {string} name @param {string} prefix @param {string} commit @param {string} out */
export function archive(root, name, prefix, commit, out) {
  git(root, 'archive', '--format=tar.gz', `--prefix=${prefix}`, '-o', join(out, name), commit)
}

/** A commit of the chart's folder alone, at the time of the tag. @param {string} root @param {Facts} facts */
export function chartCommit(root, { commit, time }) {
  const who = { NAME: 'Filewright', EMAIL: SIGNER, DATE: time }
  const env = Object.fromEntries(
    Object.entries(who).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value]
    ])
  )
  return execFileSync('git', ['commit-tree', `${commit}:${CHART}`, '-m', 'chart'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env }
  }).trim()
}

/** npm's, without what differs from run to run. @param {string} root @param {string} workspace @param {Facts} facts @param {string} out */
async function writeSbom(root, workspace, { version, time }, out) {
  const app = workspace.slice(workspace.indexOf('/') + 1)
  const { code, output } = await runNpm(
    [
      'sbom',
      '--sbom-format=cyclonedx',
      '--omit=dev',
      '--package-lock-only',
      '--loglevel=silent',
      '-w',
      workspace
    ],
    { cwd: root }
  )
  if (code !== 0) throw new Failure(`npm sbom of ${workspace}: ${output.trim()}`)
  const sbom = JSON.parse(output.slice(output.indexOf('{')))
  sbom.metadata.timestamp = time
  sbom.metadata.component = {
    'bom-ref': `filewright-${app}@${version}`,
    type: 'application',
    name: `filewright-${app}`,
    version,
    licenses: [{ license: { id: 'MIT' } }]
  }
  delete sbom.serialNumber
  const digest = createHash('sha256').update(JSON.stringify(sbom)).digest('hex')
  const [a, b, c, d] = [digest.slice(0, 8), digest.slice(8, 12), digest.slice(13, 16), digest.slice(17, 20)]
  sbom.serialNumber = `urn:uuid:${a}-${b}-4${c}-8${d}-${digest.slice(20, 32)}`
  writeFileSync(join(out, `sbom-${app}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`)
}

/** @param {string} root @param {Facts} facts @param {string} out @param {'auto' | 'yes' | 'no'} images @param {(line: string) => void} say */
async function buildImages(root, { version }, out, images, say) {
  if (images === 'no') return 'not asked for'
  const { code } = await run('docker', ['info'], { cwd: root, timeoutMs: 30_000 })
  if (code !== 0) {
    if (images === 'yes') throw new Failure('no Docker engine answers')
    say('Images: not built, no Docker engine answers')
    return 'no Docker engine answered'
  }
  for (const app of APPS) {
    const image = `filewright/${app}:${version}`
    say(`Image ${image}`)
    const build = ['build', '-f', 'infra/docker/Dockerfile', '--build-arg', `APP=${app}`, '-t', image, '.']
    await need(image, run('docker', build, { cwd: root }))
    await need(image, run('docker', ['save', '-o', join(out, `image-${app}.tar`), image], { cwd: root }))
  }
  return 'built'
}

/** @param {string} root @param {Facts} facts */
function newMigrations(root, { commit, previous }) {
  const list = (/** @type {string} */ ref) =>
    git(root, 'ls-tree', '-d', '--name-only', `${ref}:${MIGRATIONS}`).trim().split('\n')
  const old = new Set(previous === undefined ? [] : list(previous))
  return list(commit)
    .filter((name) => !old.has(name))
    .map((name) => ({ name, sql: git(root, 'show', `${commit}:${MIGRATIONS}/${name}/migration.sql`) }))
}

/**
 * An in-toto statement with SLSA's predicate.
 * @param {string} root @param {Facts} facts @param {object[]} subject @param {string} audit @param {string} images
 */
function provenance(root, { tag, commit, time }, subject, audit, images) {
  const repository = process.env['RELEASE_REPOSITORY'] ?? 'https://github.com/filewright/filewright'
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${repository}/blob/${commit}/infra/tooling/scripts/release/build.mjs`,
        externalParameters: { repository, tag },
        internalParameters: {
          node: process.version,
          platform: `${process.platform}-${process.arch}`,
          audit,
          images
        },
        resolvedDependencies: [
          { uri: `git+${repository}@refs/tags/${tag}`, digest: { gitCommit: commit } },
          { uri: 'package-lock.json', digest: { sha256: lockFileDigest(root) } }
        ]
      },
      runDetails: {
        builder: { id: process.env['RELEASE_BUILDER'] ?? 'a machine of the maintainers' },
        metadata: { invocationId: process.env['RELEASE_RUN'] ?? `${tag}-${commit}`, startedOn: time }
      }
    }
  }
}
