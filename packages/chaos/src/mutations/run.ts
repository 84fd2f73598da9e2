import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ROOT } from '../harness/apps.js'
import { mutations, type Mutation } from './list.js'

export interface MutationResult {
  name: string
  row: string
  /** The first violation; undefined if the mutation was not detected. */
  caught: string | undefined
}

export interface MutationOptions {
  seed: number
  wanted: (mutation: Mutation) => boolean
  say: (line: string) => void
}

/** A row that takes longer has found nothing, which is not a catch. */
const TIMEOUT_MS = 600_000

/** Each broken build runs the quick profile of one row, in a copy of the build. */
export async function runMutations({ seed, wanted, say }: MutationOptions): Promise<MutationResult[]> {
  const copy = copyBuild()
  try {
    const results: MutationResult[] = []
    for (const mutation of mutations.filter(wanted)) {
      const { name, file, find, replace, row } = mutation
      say(`${name}…`)
      const path = join(copy, file)
      const whole = readFileSync(path, 'utf8')
      if (whole.split(find).length !== 2) {
        throw new Error(`${file} does not contain ${JSON.stringify(find)} exactly once`)
      }
      writeFileSync(
        path,
        whole.replace(find, () => replace)
      )
      const caught = await firstFailure(copy, row, seed)
      writeFileSync(path, whole)
      dropBundles(copy)
      say(caught === undefined ? `  NOT CAUGHT by ${row}` : `  caught by ${row}: ${caught}`)
      results.push({ name, row, caught })
    }
    return results
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

async function firstFailure(copy: string, row: string, seed: number): Promise<string | undefined> {
  const child = spawn(
    process.execPath,
    [
      join(copy, 'packages', 'chaos', 'dist', 'src', 'main.js'),
      '--quick',
      '--row',
      row,
      '--seed',
      String(seed)
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] }
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  let late = false
  const timer = setTimeout(() => {
    late = true
    child.kill('SIGTERM')
  }, TIMEOUT_MS)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(timer)
  if (late || code !== 1) return undefined
  // A build that does not even start proves nothing.
  if (!/^✗/m.test(output)) throw new Error(`the row did not run: ${output.slice(-1_000)}`)
  return /^ {4}(\S.*)$/m.exec(output)?.[1]?.slice(0, 160) ?? 'a failure without a word'
}

/** The next mutation changes other files, so the bundles must be rebuilt. */
function dropBundles(copy: string): void {
  for (const parent of ['apps', 'infra']) {
    for (const name of readdirSync(join(copy, parent))) {
      rmSync(join(copy, parent, name, 'dist', 'failpoints'), { recursive: true, force: true })
    }
  }
}

/** Copies the compiled files and links to the dependencies, so that a run shares no files with others. */
function copyBuild(): string {
  const copy = mkdtempSync(join(tmpdir(), 'filewright-mutations-'))
  for (const parent of ['apps', 'packages', 'infra']) {
    for (const name of readdirSync(join(ROOT, parent))) {
      const from = join(ROOT, parent, name)
      if (!existsSync(join(from, 'package.json')) && parent !== 'infra') continue
      cpSync(from, join(copy, parent, name), {
        recursive: true,
        // A package's bundle is kept, because others import it. Bundles of apps are rebuilt from the mutated
        // files.
        filter: (path) =>
          !LEFT_OUT.has(basename(path)) && (parent === 'packages' || !APP_BUNDLES.has(basename(path)))
      })
      const own = join(from, 'node_modules')
      if (existsSync(own)) symlinkSync(own, join(copy, parent, name, 'node_modules'))
    }
  }
  for (const name of ['package.json', '.env.example']) cpSync(join(ROOT, name), join(copy, name))
  const modules = join(copy, 'node_modules')
  mkdirSync(join(modules, '@filewright'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== '@filewright') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  for (const parent of ['apps', 'packages']) {
    for (const name of readdirSync(join(copy, parent))) {
      symlinkSync(join(copy, parent, name), join(modules, '@filewright', name))
    }
  }
  return copy
}

const LEFT_OUT = new Set(['node_modules', 'test', '.pglite', '.turbo'])
const APP_BUNDLES = new Set(['bundle', 'failpoints'])
