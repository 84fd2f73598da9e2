import { existsSync, readFileSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Percentage of lines, per workspace. */
export const FLOOR = 90

/** Tests and helpers are not the product. */
const NOT_MEASURED = new Set([
  'packages/testing',
  'packages/acceptance',
  'packages/chaos',
  'packages/bench',
  'packages/realfiles',
  'infra/tooling'
])

/**
 * Whether a test file runs code that is measured. Those of whole stacks run bundles, which are not; those
 * that compare times would compare the cost of measuring.
 * @param {string} file relative to the root
 */
export const isMeasured = (file) =>
  !NOT_MEASURED.has(file.split(sep).slice(0, 2).join('/')) && !/\.alone\.test\.js$/.test(file)

const PRUNED = 'ours-'

/**
 * Takes what Node has dumped so far down to our own files: a process's dump is ten megabytes, of which
 * dependencies are nearly all.
 * @param {string} root
 * @param {string} folder
 */
export function pruneCoverage(root, folder) {
  if (!existsSync(folder)) return
  const prefix = pathToFileURL(root).href
  const isOurs = (/** @type {string} */ url) =>
    url.startsWith(`${prefix}/`) && url.includes('/dist/src/') && !url.includes('/node_modules/')
  for (const name of readdirSync(folder).filter((each) => each.startsWith('coverage-'))) {
    const path = join(folder, name)
    /** @type {{ result: { url: string }[], 'source-map-cache'?: Record<string, unknown> }} */
    let dump
    try {
      dump = JSON.parse(readFileSync(path, 'utf8'))
    } catch {
      continue // its process is still writing, or was killed during the write
    }
    writeFileSync(
      join(folder, PRUNED + name),
      JSON.stringify({
        result: dump.result.filter(({ url }) => isOurs(url)),
        'source-map-cache': Object.fromEntries(
          Object.entries(dump['source-map-cache'] ?? {}).filter(([url]) => isOurs(url))
        )
      })
    )
    unlinkSync(path)
  }
}

/**
 * @param {string} root
 * @param {string} folder where NODE_V8_COVERAGE pointed
 * @returns {Promise<{ workspace: string, percent: number, total: number, covered: number }[]>} by workspace, lowest first
 */
export async function coverageByWorkspace(root, folder) {
  pruneCoverage(root, folder)
  for (const name of readdirSync(folder).filter((each) => !each.startsWith(PRUNED))) {
    unlinkSync(join(folder, name))
  }
  const { Report } = await import('c8')
  const map = await Report({
    tempDirectory: folder,
    reporter: [],
    include: ['**/src/**'],
    extension: ['.js', '.ts'],
    excludeAfterRemap: true,
    omitRelative: true,
    resolve: '',
    mergeAsync: true
  }).getCoverageMapFromAllCoverageFiles()
  const sums = new Map()
  for (const file of map.files()) {
    const [area, name, inside] = relative(root, file).split(sep)
    const workspace = area === 'infra' || area === 'apps' || area === 'packages' ? `${area}/${name}` : ''
    if (inside !== 'src' || workspace === '' || NOT_MEASURED.has(workspace)) continue
    const { lines } = map.fileCoverageFor(file).toSummary()
    const sum = sums.get(workspace) ?? { total: 0, covered: 0 }
    sum.total += lines.total
    sum.covered += lines.covered
    sums.set(workspace, sum)
  }
  return [...sums]
    .map(([workspace, sum]) => ({
      workspace,
      percent: Math.floor((1000 * sum.covered) / sum.total) / 10,
      ...sum
    }))
    .sort((a, b) => a.percent - b.percent)
}
