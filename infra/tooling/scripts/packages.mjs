// Builds the published packages @filewright/client and @filewright/cli as tarballs that do not depend on this
// repository. Run after a build: npm run packages -- --out <folder>
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { build } from 'esbuild'
import ts from 'typescript'
import { bundledFolders, licensesOf } from './bundle-licenses.mjs'
import { nodeBundle } from './bundle-options.mjs'

const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../..')
const CONTRACTS = '@filewright/contracts'

/** @param {string} workspace */
const manifestOf = async (workspace) =>
  JSON.parse(await readFile(join(ROOT, workspace, 'package.json'), 'utf8'))

/**
 * Creates the folder that becomes the tarball, with the files of every package.
 * @param {string} workspace
 * @param {object} more of its package.json
 */
async function stage(workspace, more) {
  const folder = join(ROOT, workspace, 'dist', 'package')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { name, version, description, license } = await manifestOf(workspace)
  const manifest = { name, version, description, license, type: 'module', engines: { node: '>=20' }, ...more }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await copyFile(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  await copyFile(join(ROOT, workspace, 'README.md'), join(folder, 'README.md'))
  return folder
}

/**
 * Writes out the referenced contract types, because their source needs a library that users do not have.
 * @param {Set<string>} names
 */
function contractTypes(names) {
  const entry = join(ROOT, 'packages/contracts/dist/src/index.d.ts')
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true
  })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(entry)
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error('the contracts are not built')
  const flags =
    ts.TypeFormatFlags.NoTruncation |
    ts.TypeFormatFlags.InTypeAlias |
    ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope
  /** @type {Map<string, string>} */
  const written = new Map()
  /** @param {ts.Symbol} symbol */
  function write(symbol) {
    const aliased = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    const [declaration] = aliased.declarations ?? []
    if (written.has(aliased.name) || declaration === undefined) return
    if (!ts.isInterfaceDeclaration(declaration)) {
      const type = checker.typeToString(checker.getDeclaredTypeOfSymbol(aliased), undefined, flags)
      written.set(aliased.name, `export type ${aliased.name} = ${type}\n`)
      return
    }
    const text = declaration.getText().replace(/^export /, '')
    written.set(aliased.name, `export ${text}\n`)
    forEachReference(declaration, (name) => {
      const named = checker.getSymbolAtLocation(name)
      const isOurs = named?.declarations?.every(
        (each) => !program.isSourceFileDefaultLibrary(each.getSourceFile())
      )
      if (named !== undefined && isOurs === true) write(named)
    })
  }
  for (const symbol of checker.getExportsOfModule(module)) if (names.has(symbol.name)) write(symbol)
  return [...written.values()].join('')
}

/**
 * @param {ts.Node} node
 * @param {(name: ts.EntityName) => void} found
 */
function forEachReference(node, found) {
  if (ts.isTypeReferenceNode(node)) found(node.typeName)
  node.forEachChild((child) => forEachReference(child, found))
}

async function stageClient() {
  const entry = (/** @type {string} */ name) => ({ types: `./${name}.d.ts`, default: `./${name}.js` })
  const folder = await stage('packages/client', {
    sideEffects: false,
    exports: { '.': { browser: entry('browser'), default: entry('index') }, './browser': entry('browser') }
  })
  const compiled = join(ROOT, 'packages/client/dist/src')
  await build({
    entryPoints: [join(compiled, 'index.js'), join(compiled, 'browser.js')],
    outdir: folder,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    external: ['node:*'],
    logLevel: 'error'
  })
  const names = new Set()
  for (const name of await readdir(compiled)) {
    if (!name.endsWith('.d.ts')) continue
    const text = await readFile(join(compiled, name), 'utf8')
    for (const [, list = ''] of text.matchAll(new RegExp(`\\{([^}]*)\\} from '${CONTRACTS}'`, 'g'))) {
      for (const word of list.split(',')) names.add(word.trim())
    }
    await writeFile(
      join(folder, name),
      text.replaceAll(CONTRACTS, './contracts.js').replace(/^\/\/# sourceMappingURL.*$/m, '')
    )
  }
  await writeFile(join(folder, 'contracts.d.ts'), contractTypes(names))
  return folder
}

/** As `filewright man` writes them. */
async function manualPages() {
  const folder = await mkdtemp(join(tmpdir(), 'filewright-man-'))
  try {
    await promisify(execFile)(process.execPath, [join(ROOT, 'apps/cli/dist/src/main.js'), 'man', folder])
    const names = await readdir(folder)
    return await Promise.all(
      names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') }))
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function stageCli() {
  const pages = await manualPages()
  const folder = await stage('apps/cli', {
    bin: { filewright: './filewright.js' },
    // A global install makes them known to man.
    man: pages.map(({ name }) => `./man/${name}`)
  })
  await mkdir(join(folder, 'man'))
  for (const { name, text } of pages) await writeFile(join(folder, 'man', name), text)
  const { metafile } = await build({
    ...nodeBundle,
    absWorkingDir: ROOT,
    entryPoints: [{ in: 'apps/cli/dist/src/main.js', out: 'filewright' }],
    outdir: folder,
    minifySyntax: true,
    minifyWhitespace: true
  })
  await writeFile(join(folder, 'THIRD-PARTY.txt'), licensesOf(bundledFolders(ROOT, metafile)))
  return folder
}

const {
  values: { out = '.' }
} = parseArgs({ options: { out: { type: 'string' } } })
const target = resolve(out)
await mkdir(target, { recursive: true })
for (const folder of [await stageClient(), await stageCli()]) {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', target], {
    cwd: folder
  })
  const [{ filename, size, entryCount }] = JSON.parse(stdout)
  console.log(
    `${relative(process.cwd(), join(target, basename(filename)))}: ${size} bytes, ${entryCount} files`
  )
}
