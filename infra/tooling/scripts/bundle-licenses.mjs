import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const LINE = `\n${'-'.repeat(78)}\n\n`
const LICENSE = /^(licen[cs]e|copying|notice)/i

/**
 * The licences of the packages whose code is in a bundle. Most ask that their text goes with every copy.
 * @param {string} root
 * @param {import('esbuild').Metafile} metafile
 */
export function licensesOf(root, { inputs }) {
  const folderOf = (/** @type {string} */ path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []
  const folders = [...new Set(Object.keys(inputs).flatMap(folderOf))].sort()
  return folders
    .map((folder) => textOf(join(root, folder)))
    .filter((text) => text !== '')
    .join(LINE)
}

/** @param {string} folder */
function textOf(folder) {
  if (!existsSync(join(folder, 'package.json'))) return ''
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder)
    .filter((file) => LICENSE.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
  return [`${name} ${version} (${license})\n`, ...texts].join('\n')
}
