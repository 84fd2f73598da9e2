import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nodeBundle } from '../../scripts/bundle-options.mjs'
import { BUNDLES, NOT_INSTALLED } from '../../scripts/bundles.mjs'

/** Fewer files load their modules faster than a bundle is made. */
const MIN_FILES = 20

/** They find files beside themselves, or are native, or start programs. Our own code is in the bundles. */
const EXTERNAL = [
  ...new Set(BUNDLES.flatMap(({ packages }) => packages)),
  ...NOT_INSTALLED,
  '@axe-core/playwright',
  '@seriousme/openapi-schema-validator',
  'esbuild',
  'oxlint',
  'playwright-core',
  'prisma'
].filter((name) => !name.startsWith('@filewright/'))

/** Our own compiled files and tap's: they look for other files from where they are. */
const LOCATED = /\/(?:dist\/(?:src|test)|node_modules\/(?:tap|@tapjs\/[^/]+)\/dist)\/.*\.js$/

/** In a bundle, a module still has the address of the file that it was made from. */
const keepAddresses = /** @satisfies {import('esbuild').Plugin} */ ({
  name: 'keep-addresses',
  setup: ({ onLoad }) => {
    onLoad({ filter: LOCATED }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8'))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
      loader: 'js'
    }))
  }
})

/**
 * Makes bundles of test files, which share what they have in common: a test file loads hundreds of modules,
 * and finding, reading and parsing each of them is a third of the short suite's work.
 * @param {{ root: string, folder: string, files: readonly string[] }} options files relative to the root
 * @returns {Promise<(file: string) => string>} what to run for a test file
 */
export async function bundleTestFiles({ root, folder, files }) {
  if (files.length < MIN_FILES) return (file) => file
  // Not at the top: before the first install there is no esbuild.
  const { build } = await import('esbuild')
  await rm(folder, { recursive: true, force: true })
  await build({
    ...nodeBundle,
    // One file of TypeBox, as without bundles.
    conditions: [],
    metafile: false,
    absWorkingDir: root,
    entryPoints: files.map((file) => ({ in: file, out: file.replace(/\.js$/, '') })),
    outdir: folder,
    external: EXTERNAL,
    plugins: [keepAddresses]
  })
  const bundled = new Set(files)
  return (file) => (bundled.has(file) ? join(folder, file) : file)
}
