// Checks the layers, circular imports of files and circular imports of folders: npm run deps
import { cruise, format } from 'dependency-cruiser'
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { complaintsAbout, folderCycles } from './folder-cycles.mjs'

/** Without the compiled files, which would count as separate imports. */
const SOURCES = ['apps/*/{src,test}', 'packages/*/{src,test}', 'infra/*/{src,test}']

/**
 * Cycles of folders that are still there. An entry that is no longer needed fails the check.
 * @type {readonly string[]}
 */
const KNOWN_CYCLES = []

/** @param {import('dependency-cruiser').ICruiseResult} result */
function importsOf({ modules }) {
  const workspaceOf = (/** @type {string} */ path) => /^[^/]+\/[^/]+\/src\//.exec(path)?.[0]
  return modules.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(
        ({ resolved }) => workspaceOf(source) !== undefined && workspaceOf(source) === workspaceOf(resolved)
      )
      .map(({ resolved }) => ({ from: source, to: resolved }))
  )
}

const { output: result } = await cruise(
  SOURCES,
  await extractOptions('./.dependency-cruiser.mjs'),
  undefined,
  {
    tsConfig: extractTsConfig('./tsconfig.base.json')
  }
)
if (typeof result === 'string') throw new Error('dependency-cruiser reported text instead of its result')
const { output, exitCode } = await format(result, { outputType: 'err' })
console.log(output)

const complaints = complaintsAbout(folderCycles(importsOf(result)), KNOWN_CYCLES)
for (const complaint of complaints) console.log(complaint)
process.exitCode = exitCode > 0 || complaints.length > 0 ? 1 : 0
