import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const LINE = `\n${'-'.repeat(78)}\n\n`
const LICENSE = /licen[cs]e|^copying|^notice/i
const STANDARD_TEXTS = new URL('../licenses/', import.meta.url)

/** Licence texts that a package lacks, and further notices that its licence requires. */
const ADDED = new Map([
  [
    '7z-wasm',
    {
      note: `7zz.wasm is 7-Zip 24.09, Copyright (C) 1999-2024 Igor Pavlov, under the GNU LGPL 2.1 or later with the unRAR
restriction, compiled to WebAssembly. Source: https://www.7-zip.org and https://github.com/use-strict/7z-wasm.
It is a file of its own, unchanged, and can be replaced by another build. The code for RAR may not be used to
develop an archiver that is compatible with RAR (WinRAR).`,
      texts: ['LGPL-2.1']
    }
  ],
  [
    'pyodide',
    {
      note: `pyodide.asm.wasm and python_stdlib.zip contain CPython, Copyright (C) 2001 Python Software Foundation, under
the PSF License Agreement, unchanged. Source: https://github.com/pyodide/pyodide, under the MPL 2.0, and
https://www.python.org.`,
      texts: ['MPL-2.0', 'PSF-2.0']
    }
  ]
])

/**
 * The packages whose code is in a bundle.
 * @param {string} root
 * @param {import('esbuild').Metafile} metafile
 */
export function bundledFolders(root, { inputs }) {
  const folderOf = (/** @type {string} */ path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []
  return [...new Set(Object.keys(inputs).flatMap(folderOf))].sort().map((folder) => join(root, folder))
}

/**
 * The licences of these packages. Most require that their text accompanies every copy.
 * @param {readonly string[]} folders
 */
export function licensesOf(folders) {
  return folders
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map(textOf)
    .join(LINE)
}

/** @param {string} folder */
function textOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const own = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENSE.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), 'utf8'))
  const { note, texts = [] } = ADDED.get(name) ?? {}
  const isIncomplete = own.length === 0 && texts.length === 0
  return [
    `${name} ${version} (${license})\n`,
    ...(note === undefined ? [] : [`${note}\n`]),
    ...own,
    ...texts.map(standardText),
    // It names its licence but contains no text.
    ...(isIncomplete ? [`Copyright (c) ${author?.name ?? author ?? `the authors of ${name}`}\n`] : []),
    ...(isIncomplete ? [standardText(license)] : [])
  ].join('\n')
}

/** @param {string} license its SPDX name */
const standardText = (license) => readFileSync(new URL(`${license}.txt`, STANDARD_TEXTS), 'utf8')

/**
 * The packages that such a notice covers.
 * @param {string} text
 */
export function listedPackages(text) {
  return text.split(LINE).flatMap((part) => {
    const [, name, version, license] = /^(\S+) (\S+) \((.+)\)\n/.exec(part) ?? []
    return name === undefined || version === undefined || license === undefined
      ? []
      : [{ name, version, license }]
  })
}
