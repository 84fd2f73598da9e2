import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundledFolders, licensesOf, listedPackages } from './bundle-licenses.mjs'
import { nodeBundle } from './bundle-options.mjs'
import { bundleFolder, imagePackages, isOurs, manifestOf } from './image-packages.mjs'

/** The file with the licence texts in an image. */
export const NOTICES = 'THIRD-PARTY-NOTICES.txt'
/** The list in the repository. */
export const NOTICES_LIST = 'THIRD-PARTY-NOTICES.md'
/** The licence file in a bundle and in the console. */
const LICENSES = 'licenses.txt'

const INTRO = `Filewright is under the MIT License. This image also contains the software of others, below, each under its own
license. Debian packages and Node.js, which come with the base image, have theirs in /usr/share/doc and /usr/local.
`

/**
 * The notices that third-party licences require in an image.
 * @param {string} root
 * @param {string} app
 */
export function noticesOfImage(root, app) {
  const folders = imagePackages(root, app)
  const isOurFolder = (/** @type {string} */ folder) => isOurs(manifestOf(folder))
  const ofBundles = [
    bundleFolder(root, app),
    ...folders.filter(isOurFolder).map((folder) => join(folder, 'dist', 'site'))
  ]
    .map((folder) => join(folder, LICENSES))
    .filter(existsSync)
    .map((path) => readFileSync(path, 'utf8'))
  const outside = licensesOf(folders.filter((folder) => !isOurFolder(folder)).sort())
  return [INTRO, ...ofBundles, outside].join(`\n${'-'.repeat(78)}\n\n`)
}

/** The licences of the packages in the command line. @param {string} root */
async function noticesOfCli(root) {
  const { metafile } = await build({
    ...nodeBundle,
    absWorkingDir: root,
    entryPoints: ['apps/cli/dist/src/main.js'],
    outdir: join(root, 'apps/cli/dist/package'),
    write: false
  })
  return licensesOf(bundledFolders(root, metafile))
}

/**
 * The third-party packages in the images and in published packages.
 * @param {string} root
 * @param {readonly string[]} apps
 */
export async function noticesList(root, apps) {
  /** @type {Map<string, Set<string>>} */
  const places = new Map()
  const note = (/** @type {string} */ place, /** @type {string} */ text) => {
    for (const { name, version, license } of listedPackages(text)) {
      // npm installs only the variant for the machine; the package that requires it is in the list.
      if (/-(linux|darwin|win32)-/.test(name)) continue
      const row = `| ${name} | ${version} | ${license} |`
      places.set(row, (places.get(row) ?? new Set()).add(place))
    }
  }
  for (const app of apps) note(app, noticesOfImage(root, app))
  note('cli', await noticesOfCli(root))
  const rows = [...places].map(([row, where]) => `${row} ${[...where].sort().join(', ')} |`)
  return `${HEAD}${rows.sort().join('\n')}\n`
}

const HEAD = `# Third-party notices

Written by \`npm run docs\`; do not edit. Filewright is under the [MIT License](LICENSE). Its images and \`@filewright/cli\` contain software of others. Each
image has the texts of their licences in \`/app/${NOTICES}\`, the command line in \`THIRD-PARTY.txt\`. \`@filewright/client\` contains none.

- **7-Zip** (\`7z-wasm\`, scan worker) is under the GNU LGPL 2.1 or later with the unRAR restriction: its code may not be used to develop an archiver that is compatible with RAR
  (WinRAR). It is used unchanged, as a file of its own that can be replaced. Source: <https://www.7-zip.org>, <https://github.com/use-strict/7z-wasm>.
- **Pyodide** (inference worker) is under the MPL 2.0 and contains **CPython** under the PSF License Agreement, both unchanged. Source: <https://github.com/pyodide/pyodide>,
  <https://www.python.org>.
- Node.js, Debian, PostgreSQL, Redis, ClamAV and Ollama come with their own images or packages.

| package | version | licence | in |
|---|---|---|---|
`
