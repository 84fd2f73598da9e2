import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import t from 'tap'
import { checkSyntax, fix } from '@filewright/analysis'
import { runCheck } from '../src/index.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(1_200_000)

/** Other people's code, installed beside ours. */
const packages = [
  'semver',
  'eslint-utils',
  'esquery',
  'ajv',
  'minimatch',
  'css-tree',
  'htmlhint',
  'eslint-plugin-security',
  'eslint',
  'commander',
  'json-schema-traverse',
  'fast-deep-equal',
  'glob-parent',
  'picomatch',
  'debug',
  'ms',
  'uuid',
  'content-disposition',
  'busboy'
]
const MAX_FILE_CHARS = 12_000
const MAX_FILES = 80

async function sourcesOf(name: string): Promise<Array<{ path: string; code: string }>> {
  let folder: string
  try {
    folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  } catch {
    return []
  }
  const names = (await readdir(folder, { recursive: true }))
    .filter((file) => /\.c?js$/.test(file) && !/node_modules|\.min\.|test|umd|bundle/.test(file))
    .sort()
    .slice(0, 40)
  const read = await Promise.all(
    names.map(async (file) => ({ path: `${name}/${file}`, code: await readFile(join(folder, file), 'utf8') }))
  )
  return read.filter(({ code }) => code.length < MAX_FILE_CHARS)
}

t.test("the tools' fixes of other people's code parse and do the same", async (t) => {
  const files = (await Promise.all(packages.map(sourcesOf))).flat().slice(0, MAX_FILES)
  let functions = 0
  let changed = 0
  let run = 0
  const broken: string[] = []
  const different: string[] = []
  for (const { path, code } of files) {
    const fixed = await fix({ code, language: 'javascript' })
    functions += code.match(/\bfunction\b|=>/g)?.length ?? 0
    if (fixed.code === code) continue
    changed++
    if ((await checkSyntax(fixed.code, 'javascript')).ok === false) broken.push(path)
    const check = await runCheck({ before: code, after: fixed.code, language: 'javascript' })
    run += check?.functions.length ?? 0
    different.push(
      ...(check?.functions ?? [])
        .filter(({ isSame }) => !isSame)
        .map(({ unit, difference }) => `${path} ${unit}: ${difference ?? ''}`)
    )
  }
  t.comment(`${files.length} files with ${functions} functions, ${changed} changed, ${run} functions run`)
  t.ok(functions >= 120)
  t.strictSame(broken, [])
  t.strictSame(different, [])
})
