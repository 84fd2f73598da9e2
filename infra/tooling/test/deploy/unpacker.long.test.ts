import t from 'tap'
import { ROOT } from '../helpers/root.js'

interface Lib {
  runNpm: (args: readonly string[], options: { cwd: string }) => Promise<{ code: number; output: string }>
}
const { runNpm } = (await import(new URL('../../../bin/lib/run.mjs', import.meta.url).href)) as Lib

/** The newest version that docs/adr/0049 covers. It contains 7-Zip 24.09. */
const JUDGED = '1.2.0'

// No advisory lists 7z-wasm for the vulnerabilities of its 7-Zip, so `npm audit` reports nothing.
const { output } = await runNpm(
  ['view', '7z-wasm', 'dist-tags.latest', '--json', '--loglevel=error', '--fetch-retries=0'],
  { cwd: ROOT }
)
const newest = /^"(\d+\.\d+\.\d+)"$/m.exec(output)?.[1]

t.test(
  'npm has no newer 7-Zip for WebAssembly; if this fails, upgrade and delete unsafe-archives.ts',
  { skip: newest === undefined && 'no registry' },
  async (t) => {
    t.equal(newest, JUDGED)
  }
)
