import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../helpers/root.js'

interface Locked {
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
}
type Lock = Record<string, Locked>

/**
 * Versions that must not come back, by an upgrade of something else or by a lower range. All published
 * tooOld: audit.long.test.ts.
 */
const tooOld: ReadonlyArray<{ name: string; below: string; why: string }> = [
  { name: 'fastify', below: '5.12.6', why: 'published vulnerabilities' },
  { name: '@fastify/multipart', below: '10.1.7', why: 'published vulnerabilities' },
  { name: '@fastify/busboy', below: '3.2.5', why: 'published vulnerabilities' },
  {
    name: 'bullmq',
    below: '6.3.3',
    why: 'a worker can stop for good after Redis was away for more than 6 seconds'
  }
]

const lock = (JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Lock })
  .packages

const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const dependencies = (packages: Lock): Array<[string, Locked]> =>
  Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && link !== true)

/** Numerically; a pre-release counts as older than its release. */
function isBelow(version: string, limit: string): boolean {
  const [own, theirs] = [version, limit].map((text) => (text.split(/[-+]/)[0] ?? '').split('.').map(Number))
  for (let i = 0; i < 3; i++) {
    const difference = (own?.[i] ?? 0) - (theirs?.[i] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return version.includes('-')
}

function badVersions(packages: Lock): string[] {
  return dependencies(packages).flatMap(([path, { version = '' }]) =>
    tooOld
      .filter(({ name, below }) => name === nameOf(path) && isBelow(version, below))
      .map(({ name, why }) => `${name} ${version} (${path}): ${why}`)
  )
}

t.test('holds no version that is known to be bad, at any depth', async (t) => {
  t.strictSame(badVersions(lock), [])
  for (const { name } of tooOld) {
    t.ok(
      dependencies(lock).some(([path]) => nameOf(path) === name),
      `${name} is still in use, and so its line here`
    )
  }
})

t.test('a bad version would be found wherever it came in', async (t) => {
  for (const { name, below } of tooOld) {
    const [major = 0, minor = 0, patch = 0] = below.split('.').map(Number)
    const older = patch > 0 ? `${major}.${minor}.${patch - 1}` : `${major}.${minor - 1}.99`
    for (const version of [older, `${below}-rc.1`, `${major - 1}.999.999`]) {
      t.equal(
        badVersions({ ...lock, [`node_modules/some/node_modules/${name}`]: { version } }).length,
        1,
        `${name} ${version}`
      )
    }
    t.strictSame(badVersions({ [`node_modules/${name}`]: { version: below } }), [])
  }
})

t.test(
  'names the hash of every package and no place to fetch it from, and no install script runs',
  async (t) => {
    const wrong = dependencies(lock).filter(
      ([, { integrity = '', resolved }]) => !integrity.startsWith('sha512-') || resolved !== undefined
    )

    t.strictSame(
      wrong.map(([path]) => path),
      []
    )
    t.ok(dependencies(lock).length > 100)
    t.match(readFileSync(join(ROOT, '.npmrc'), 'utf8'), /^ignore-scripts=true$/m)
  }
)
