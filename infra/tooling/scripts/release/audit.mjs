// Known advisories and licences of what is released. Both need a definite answer: no answer fails a release.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNpm } from '../../bin/lib/run.mjs'
import { Failure } from '../../bin/lib/failure.mjs'

/** @typedef {{ advisories: string[], packages: number } | { noAnswer: string }} Audit */

/** Advisories that do not concern us, each with a reason. @type {Record<string, string>} */
export const ACCEPTED = {}
const MAX_AGE_DAYS = 7

/** Of packages that are shipped: licences that let us ship them under the terms that THIRD-PARTY-NOTICES.md names. */
const LICENCES = new Set([
  ...['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'CC0-1.0', 'Zlib'],
  ...['Python-2.0', 'MPL-2.0', 'LGPL-2.1-or-later', 'Unlicense']
])
/** Packages whose package.json refers to a text, and what was read there. @type {Record<string, string>} */
const READ = { '7z-wasm': 'LGPL-2.1-or-later' }

/** The registry's advisories for the lock file, or why there is no answer. @param {string} output @returns {Audit} */
export function readAudit(output) {
  let report
  try {
    report = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
  } catch {
    return { noAnswer: output.trim().slice(0, 200) }
  }
  if (report.vulnerabilities === undefined || report.metadata === undefined) {
    return { noAnswer: report.message ?? 'npm printed no report' }
  }
  /** @type {Array<[string, { via: Array<any> }]>} */
  const found = Object.entries(report.vulnerabilities)
  const advisories = found.flatMap(([name, { via }]) =>
    via.flatMap((cause) =>
      // A name refers to a package that is in the list itself.
      typeof cause === 'string'
        ? []
        : [`${name} ${cause.range}: ${cause.title} (${cause.severity}, ${cause.url})`]
    )
  )
  return { advisories, packages: report.metadata.dependencies.total }
}

/** @param {string} root @returns {Promise<Audit>} */
export async function askRegistry(root) {
  const args = ['audit', '--json', '--loglevel=error', '--fetch-retries=0', '--fetch-timeout=60000']
  const { output } = await runNpm(args, { cwd: root })
  return readAudit(output)
}

/** A report for a machine without network. @param {string} root */
export async function auditReport(root) {
  const audit = await askRegistry(root)
  if ('noAnswer' in audit) throw new Failure(`npm audit got no answer: ${audit.noAnswer}`)
  return { lockFile: lockFileDigest(root), madeAt: new Date().toISOString(), ...audit }
}

/** @param {string} root */
export const lockFileDigest = (root) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')

/**
 * Passes if the registry, or a report made elsewhere for this very lock file, knows no advisory.
 * @param {string} root
 * @param {string | undefined} reportFile
 * @returns {Promise<string>} for the provenance
 */
export async function checkAdvisories(root, reportFile) {
  const report =
    reportFile === undefined ? await auditReport(root) : JSON.parse(readFileSync(reportFile, 'utf8'))
  const { lockFile, madeAt, advisories, packages } = report
  if (lockFile !== lockFileDigest(root)) throw new Failure('the audit report is of another package-lock.json')
  const days = (Date.now() - Date.parse(madeAt)) / 86_400_000
  if (!(days >= -1 && days <= MAX_AGE_DAYS)) {
    throw new Failure(`the audit report is of ${madeAt}: at most ${MAX_AGE_DAYS} days are allowed`)
  }
  if (!Array.isArray(advisories) || !(packages > 0)) throw new Failure('the audit report is not complete')
  const open = advisories.filter((/** @type {string} */ advisory) => !(advisory in ACCEPTED))
  if (open.length > 0) throw new Failure(`known advisories:\n${open.join('\n')}`)
  return `no advisory for ${packages} packages, ${madeAt}`
}

/**
 * THIRD-PARTY-NOTICES.md lists what images and packages contain, and a test holds that it is current.
 * @param {string} notices
 * @returns {string[]} what may not be shipped
 */
export function licenceProblems(notices) {
  const rows = [...notices.matchAll(/^\| (\S+) \| \S+ \| (.*?) \| [^|]+ \|$/gm)].filter(
    ([, name]) => name !== 'package'
  )
  if (rows.length === 0) throw new Failure('THIRD-PARTY-NOTICES.md lists no package')
  return rows.flatMap(([, name = '', licence = '']) =>
    isAllowed(READ[name] ?? licence) ? [] : [`${name}: ${licence}`]
  )
}

/** An SPDX expression of OR and AND. @param {string} expression */
function isAllowed(expression) {
  const plain = expression.replace(/^\((.*)\)$/, '$1')
  if (plain.includes('(')) return false
  return plain.split(' OR ').some((one) => one.split(' AND ').every((id) => LICENCES.has(id.trim())))
}

/** @param {string} root */
export function checkLicences(root) {
  const problems = licenceProblems(readFileSync(join(root, 'THIRD-PARTY-NOTICES.md'), 'utf8'))
  if (problems.length > 0) throw new Failure(`licences that need a review:\n${problems.join('\n')}`)
}
