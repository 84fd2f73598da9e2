/**
 * Packages in CommonJS ask for these. The names are long on purpose: esbuild does not know them, so the same
 * name in a module would be declared twice.
 */
const BANNER = `
import { createRequire as bundleRequireFrom } from 'node:module'
import { fileURLToPath as bundlePathOf } from 'node:url'
const require = bundleRequireFrom(import.meta.url)
const __filename = bundlePathOf(import.meta.url)
const __dirname = bundlePathOf(new URL('.', import.meta.url))
`

/** What every bundle for Node.js has in common, the apps' and the command line's. */
export const nodeBundle = /** @satisfies {import('esbuild').BuildOptions} */ ({
  bundle: true,
  // What a module loads later stays a file of its own. In one file, its imports of what is left outside would
  // move to the top, into every start.
  splitting: true,
  chunkNames: 'part-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // What is made into one file for the tests would bring its unused parts, and no licence.
  conditions: ['unbundled'],
  banner: { js: BANNER },
  metafile: true,
  logLevel: 'error'
})
