import { createHash } from 'node:crypto'
import { createReadStream, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../../bin/lib/failure.mjs'
import { checkSignature } from './signature.mjs'

export const SUMS = 'SHA256SUMS'
export const PROVENANCE = 'provenance.intoto.json'
export const SIGNER = 'release@filewright'
const SIGNATURE = `${SUMS}.sig`

/** @param {string} path */
export async function digestOf(path) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/**
 * Passes if every file in the folder is the one that was signed, none is missing and none was added.
 * @param {string} folder
 * @param {{ signers: string, signer?: string, tag?: string, commit?: string }} expected
 * @returns {Promise<{ files: number, commit: string }>}
 */
export async function verify(folder, { signers, signer = SIGNER, tag, commit }) {
  for (const name of [SUMS, SIGNATURE]) {
    if (!existsSync(join(folder, name))) throw new Failure(`there is no ${name}`)
  }
  checkSignature(join(folder, SUMS), signer, signers)
  const sums = readSums(readFileSync(join(folder, SUMS), 'utf8'))
  const there = readdirSync(folder).filter((name) => name !== SUMS && name !== SIGNATURE)
  const problems = there.filter((name) => !sums.has(name)).map((name) => `${name} was added`)
  for (const [name, digest] of sums) {
    if (!there.includes(name)) problems.push(`${name} is missing`)
    else if (!lstatSync(join(folder, name)).isFile()) problems.push(`${name} is not a file`)
    else if ((await digestOf(join(folder, name))) !== digest) problems.push(`${name} was changed`)
  }
  if (problems.length > 0) throw new Failure(problems.join('\n'))
  const built = checkProvenance(JSON.parse(readFileSync(join(folder, PROVENANCE), 'utf8')), sums)
  if (tag !== undefined && built.tag !== tag) {
    throw new Failure(`this is the release ${built.tag}, not ${tag}`)
  }
  if (commit !== undefined && built.commit !== commit) {
    throw new Failure(`built from ${built.commit}, not ${commit}`)
  }
  return { files: sums.size, commit: built.commit }
}

/** @param {string} text */
function readSums(text) {
  /** @type {Map<string, string>} */
  const sums = new Map()
  for (const line of text.split('\n').slice(0, -1)) {
    const [, digest, name] = /^([0-9a-f]{64}) {2}([\w@.+-]+)$/.exec(line) ?? []
    if (digest === undefined || name === undefined || sums.has(name)) {
      throw new Failure(`${SUMS} has a bad line: ${line}`)
    }
    sums.set(name, digest)
  }
  if (!sums.has(PROVENANCE)) throw new Failure(`${SUMS} does not name ${PROVENANCE}`)
  return sums
}

/** The statement names the same artefacts as the list. @param {any} statement @param {Map<string, string>} sums */
function checkProvenance(statement, sums) {
  const subjects = new Map(
    statement.subject.map((/** @type {any} */ each) => [each.name, each.digest.sha256])
  )
  for (const [name, digest] of subjects) {
    if (sums.get(name) !== digest) throw new Failure(`${PROVENANCE} and ${SUMS} differ in ${name}`)
  }
  const unnamed = [...sums.keys()].filter((name) => name !== PROVENANCE && !subjects.has(name))
  if (unnamed.length > 0) throw new Failure(`${PROVENANCE} does not name ${unnamed.join(', ')}`)
  const { externalParameters, resolvedDependencies } = statement.predicate.buildDefinition
  return { tag: externalParameters.tag, commit: resolvedDependencies[0].digest.gitCommit }
}
