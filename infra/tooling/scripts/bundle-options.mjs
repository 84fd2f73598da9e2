/**
 * CommonJS packages need these. The names are long on purpose: esbuild does not know them, so the same name
 * in a module would be declared twice.
 */
const BANNER = `
import { createRequire as bundleRequireFrom } from 'node:module'
import { fileURLToPath as bundlePathOf } from 'node:url'
const require = bundleRequireFrom(import.meta.url)
const bundleFilename = bundlePathOf(import.meta.url)
const bundleDirname = bundlePathOf(new URL('.', import.meta.url))
`

/** Options that all bundles for Node.js share, the apps' and the command line's. */
export const nodeBundle = /** @satisfies {import('esbuild').BuildOptions} */ ({
  bundle: true,
  // Dynamically imported modules stay separate files. In one file, their external imports would move to the
  // top, into every start.
  splitting: true,
  chunkNames: 'part-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // The single file for tests would include its unused parts, without a licence.
  conditions: ['unbundled'],
  banner: { js: BANNER },
  // Some modules declare these themselves; only the others are meant.
  define: { __filename: 'bundleFilename', __dirname: 'bundleDirname' },
  metafile: true,
  logLevel: 'error'
})
