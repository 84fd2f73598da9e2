import { existsSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** Per cent of lines, over all workspaces; each one's own figure is printed beside it. */
export const FLOOR = 90

/** Suites and helpers are not the product. */
const NOT_MEASURED = new Set(['packages/testing', 'packages/acceptance'])

/**
 * @param {string} root
 * @returns {{ workspace: string, percent: number, total: number, covered: number }[]} by workspace, lowest first
 */
export function coverageByWorkspace (root) {
  const path = join(root, '.tap', 'report', 'coverage-summary.json')
  if (!existsSync(path)) return []
  /** @type {Record<string, { lines: { total: number, covered: number } }>} */
  const { total, ...files } = JSON.parse(readFileSync(path, 'utf8'))
  const sums = new Map()
  for (const [file, { lines }] of Object.entries(files)) {
    const [area, name, inside] = relative(root, file).split(sep)
    const workspace = `${area}/${name}`
    if (inside !== 'src' || NOT_MEASURED.has(workspace)) continue
    const sum = sums.get(workspace) ?? { total: 0, covered: 0 }
    sum.total += lines.total
    sum.covered += lines.covered
    sums.set(workspace, sum)
  }
  return [...sums]
    .map(([workspace, sum]) => ({ workspace, percent: Math.floor(1000 * sum.covered / sum.total) / 10, ...sum }))
    .sort((a, b) => a.percent - b.percent)
}
