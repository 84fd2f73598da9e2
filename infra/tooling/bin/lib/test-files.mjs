import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { workspaces } from './build.mjs'

/** The long suite: slow files, and files that compare times and run alone. */
const LONG = /\.(long|alone)\.test\.js$/

/**
 * @param {string} file
 * @returns {'short' | 'long'}
 */
export const suiteOf = (file) => (LONG.test(file) ? 'long' : 'short')

/**
 * The path to show: the source of a compiled test file.
 * @param {string} file relative to the root
 */
export const sourceOf = (file) => file.replace(/(^|\/)dist\/test\//, '$1test/').replace(/\.js$/, '.ts')

/**
 * Compiled test files whose source still exists: the compiler does not remove what a deleted source left in
 * dist.
 * @param {string} root
 * @param {readonly string[]} patterns parts of the sources' paths, `*` stands for anything; none means all
 * @returns {string[]} relative to the root
 */
export function findTestFiles(root, patterns) {
  const wanted = patterns.map(
    (pattern) =>
      new RegExp(
        pattern
          .split('*')
          .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
          .join('.*')
      )
  )
  return workspaces(root)
    .flatMap((folder) => {
      const compiled = join(folder, 'dist', 'test')
      if (!existsSync(compiled)) return []
      return readdirSync(compiled, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.test.js'))
        .map((name) => ({
          file: join(compiled, name),
          source: join(folder, 'test', name.replace(/\.js$/, '.ts'))
        }))
        .filter(({ source }) => existsSync(source))
        .filter(
          ({ source }) =>
            wanted.length === 0 || wanted.some((pattern) => pattern.test(relative(root, source)))
        )
        .map(({ file }) => relative(root, file))
    })
    .sort()
}
