import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../helpers/root.js'

interface Locked {
  version?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  integrity?: string
  resolved?: string
  link?: boolean
}
type Lock = Record<string, Locked>

/**
 * Versions that must not return through an upgrade of another package or a lower range. For all published
 * advisories, see audit.long.test.ts.
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

t.test('contains no known vulnerable version, at any depth', async (t) => {
  t.strictSame(badVersions(lock), [])
  for (const { name } of tooOld) {
    t.ok(
      dependencies(lock).some(([path]) => nameOf(path) === name),
      `${name} is still in use, and so its line here`
    )
  }
})

t.test('a vulnerable version is found at any depth', async (t) => {
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

t.test('has the hash of every package and no download location, and no install script runs', async (t) => {
  const wrong = dependencies(lock).filter(
    ([, { integrity = '', resolved }]) => !integrity.startsWith('sha512-') || resolved !== undefined
  )

  t.strictSame(
    wrong.map(([path]) => path),
    []
  )
  t.ok(dependencies(lock).length > 100)
  t.match(readFileSync(join(ROOT, '.npmrc'), 'utf8'), /^ignore-scripts=true$/m)
})

/** As Node.js resolves it: in each node_modules from the folder up. */
function placeOf(name: string, from: string): string | undefined {
  const folders = from === '' ? [] : from.split('/')
  for (let depth = folders.length; depth >= 0; depth--) {
    const place = [...folders.slice(0, depth), 'node_modules', name].join('/')
    if (lock[place] !== undefined) return place
  }
  return undefined
}

/** The packages that the workspace needs at run time: dependencies and required peers, at any depth. */
function runtimePackages(workspace: string): string[] {
  const found = new Set<string>()
  const visit = (folder: string): void => {
    const { dependencies = {}, optionalDependencies = {}, ...peers } = lock[folder] ?? {}
    const { peerDependencies = {}, peerDependenciesMeta = {} } = peers
    const needed = Object.keys(peerDependencies).filter(
      (name) => peerDependenciesMeta[name]?.optional !== true
    )
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...needed]) {
      const place = placeOf(name, folder)
      if (place === undefined || found.has(place)) continue
      found.add(place)
      visit(lock[place]?.link === true ? (lock[place].resolved ?? place) : place)
    }
  }
  visit(workspace)
  return [...found].map(nameOf)
}

const workspaces = Object.keys(lock).filter((path) => path !== '' && !path.includes('node_modules/'))

t.test('no app needs a build tool at runtime', async (t) => {
  const apps = workspaces.filter((path) => path.startsWith('apps/'))

  t.ok(runtimePackages('apps/gateway').includes('fastify'), 'the search finds packages')
  for (const app of apps) {
    const tools = ['prisma', 'esbuild', 'tap', 'turbo']
    const found = new Set(runtimePackages(app))
    t.strictSame(
      tools.filter((name) => found.has(name)),
      [],
      app
    )
  }
})

/** Packages whose names are assembled in code. */
const LOADED_BY_NAME = /^@ast-grep\/lang-/

t.test('every package that a workspace depends on is imported there', async (t) => {
  const unused = workspaces.flatMap((path) => {
    const folders = ['src', 'test']
      .map((name) => join(ROOT, path, name))
      .filter((folder) => existsSync(folder))
    const source = folders
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
      )
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
    return Object.keys(lock[path]?.dependencies ?? {})
      .filter((name) => !LOADED_BY_NAME.test(name) && !new RegExp(`['"\`]${name}['"\`/]`).test(source))
      .map((name) => `${path}: ${name}`)
  })

  t.strictSame(unused, [])
})
