// Builds the console's files for browsers: scripts and styles, each named by its content, and each with a
// compressed copy.
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { removeOld, replaceFile } from './bundle-files.mjs'
import { bundledFolders, licensesOf } from './bundle-licenses.mjs'

export const CONSOLE = 'apps/console'

/** SARIF's names of the levels, as used by findings. */
const LEVELS = { error: 'error', warning: 'warning', info: 'note' }

/**
 * The module `filewright:rules`: the data for the console's page about rules.
 * @param {string} root
 * @returns {import('esbuild').Plugin}
 */
const rulesModule = (root) => ({
  name: 'rules',
  setup(build) {
    build.onResolve({ filter: /^filewright:rules$/ }, ({ path }) => ({ path, namespace: 'rules' }))
    build.onLoad({ filter: /./, namespace: 'rules' }, async () => {
      const file = join(root, 'packages/analysis/dist/src/registry/rules.js')
      const { rules } = await import(pathToFileURL(file).href)
      const list = rules.map((/** @type {any} */ { id, analysisType, severity, sentence, suggestion }) => ({
        id,
        category: analysisType,
        level: LEVELS[/** @type {keyof typeof LEVELS} */ (severity)],
        message: sentence,
        help: suggestion
      }))
      // Parsing JSON is faster than parsing a script.
      return { contents: `export const rules = JSON.parse(${JSON.stringify(JSON.stringify(list))})` }
    })
  }
})

/** @param {string} root */
export async function bundleConsole(root) {
  const folder = join(root, CONSOLE, 'dist', 'site')
  const { outputFiles, metafile } = await build({
    conditions: ['unbundled'],
    absWorkingDir: root,
    entryPoints: [
      { in: `${CONSOLE}/dist/src/main.js`, out: 'console' },
      { in: `${CONSOLE}/src/styles/console.css`, out: 'console' },
      { in: `${CONSOLE}/src/icon.svg`, out: 'icon' }
    ],
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'copy' },
    plugins: [rulesModule(root)],
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'error'
  })
  await mkdir(folder, { recursive: true })
  const names = outputFiles.map(({ path }) => basename(path))
  for (const { path, contents } of outputFiles) {
    await replaceFile(path, contents)
    await replaceFile(`${path}.gz`, gzipSync(contents, { level: 9 }))
  }
  await replaceFile(join(folder, 'licenses.txt'), licensesOf(bundledFolders(root, metafile)))
  const named = (/** @type {RegExp} */ pattern) => names.find((name) => pattern.test(name))
  const page = { script: named(/^console-.*\.js$/), style: named(/^console-.*\.css$/), icon: named(/^icon-/) }
  await replaceFile(join(folder, 'page.json'), `${JSON.stringify(page)}\n`)
  await removeOld(
    folder,
    new Set([...names.flatMap((name) => [name, `${name}.gz`]), 'page.json', 'licenses.txt'])
  )
}
