import { isUtf8 } from 'node:buffer'
import { lstat, readFile, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Filewright } from '@filewright/client'
import { formatBytes, limits, type Language } from '@filewright/contracts'
import { applyPatch, parsePatch } from 'diff'
import { applyRules, filterOf } from '../analysis/apply-config.js'
import { collectReports } from '../analysis/collect.js'
import { compare } from '../analysis/compare.js'
import { knownIn, type InspectFlags, type Inspection } from '../analysis/inspect.js'
import { isAnalyzed, languageOf, pathProblem, type NamedSource } from '../analysis/sources.js'
import { loadConfig } from '../config/load-config.js'
import { Failure } from '../failure.js'
import type { Io } from '../io.js'
import { printable } from '../local-files.js'

const MAX_BYTES = 8 * 1024 * 1024
const MAX_FILES = 2_000

interface PatchedFile {
  path: string
  language: Language
  before: string
  after: string
}

type Parsed = ReturnType<typeof parsePatch>[number]

function nameOf(name: string | undefined): string | null {
  if (name === undefined || name === '/dev/null') return null
  const path = name.replace(/^[ab]\//, '')
  const parts = path.split('/')
  if (
    /^[/"]|^[A-Za-z]:|\\|\p{Cc}/u.test(path) ||
    parts.some((part) => ['', '.', '..', '.git'].includes(part))
  ) {
    throw new Failure(`--patch: "${printable(path)}" is not a path in this repository`)
  }
  return path
}

/** A link anywhere in the path could lead out of the repository. */
async function read(root: string, path: string): Promise<string> {
  const absolute = join(root, ...path.split('/'))
  const facts = await lstat(absolute).catch(() => null)
  if (facts === null) throw new Failure(`--patch: there is no file ${path} to apply it to`)
  if (!facts.isFile() || (await realpath(absolute)) !== absolute) {
    throw new Failure(`--patch: ${path} is not a regular file of this repository`)
  }
  if (facts.size > limits.codeBytes) {
    throw new Failure(`--patch: ${path} is larger than ${formatBytes(limits.codeBytes)}`)
  }
  const bytes = await readFile(absolute)
  if (!isUtf8(bytes)) throw new Failure(`--patch: ${path} is not UTF-8`)
  return bytes.toString('utf8')
}

async function patched(parsed: Parsed, root: string): Promise<PatchedFile | null> {
  const [oldPath, path] = [nameOf(parsed.oldFileName), nameOf(parsed.newFileName)]
  const language = path === null ? null : languageOf(path)
  if (path === null || !isAnalyzed(language)) return null
  const before = oldPath === null ? '' : await read(root, oldPath)
  // The content of the lines decides, not their line numbers.
  const after = applyPatch(before, parsed, { fuzzFactor: 0 })
  if (after === false) throw new Failure(`--patch: it does not apply to ${path}: the lines there are others`)
  return { path, language, before, after }
}

/** Compares the work tree after a patch with the current one. Writes nothing. */
export async function inspectPatch(
  io: Io,
  client: Filewright,
  file: string,
  flags: InspectFlags
): Promise<Inspection> {
  const given = resolve(io.cwd, file)
  if ((await stat(given)).size > MAX_BYTES) {
    throw new Failure(`--patch ${file}: it is larger than ${formatBytes(MAX_BYTES)}`)
  }
  const loaded = await loadConfig(io.cwd)
  const root = await realpath(loaded.root)
  const isIncluded = filterOf([{ ...loaded, root }])
  const text = await readFile(given, 'utf8')
  if (text.trim() === '') io.note(`--patch ${file}: it is empty\n`)
  let parsed: Parsed[]
  try {
    parsed = parsePatch(text)
  } catch {
    parsed = []
  }
  // The parser skips unknown input. A diff of binary files or modes has no lines.
  const isDiff = /^(?:@@ |Binary files |GIT binary patch|(?:rename|similarity|new|deleted|old) )/m.test(text)
  if (text.trim() !== '' && (parsed.length === 0 || !isDiff)) {
    throw new Failure(`--patch ${file}: it is not a unified diff`)
  }
  if (parsed.length > MAX_FILES) throw new Failure(`--patch ${file}: it changes more than ${MAX_FILES} files`)
  const files = new Map<string, PatchedFile>()
  for (const one of parsed) {
    const result = await patched(one, root)
    if (result === null || !isIncluded(join(root, ...result.path.split('/')), result.language)) continue
    if (files.has(result.path)) throw new Failure(`--patch ${file}: it changes ${result.path} twice`)
    files.set(result.path, result)
  }
  const all = [...files.values()]
  const options = { ...flags, withModel: false }
  const analyze = async (key: 'before' | 'after') => {
    const sources: NamedSource[] = all.map(({ path, language }) => ({ path, language }))
    const readFrom = async ({ path }: NamedSource) => {
      const code = files.get(path)?.[key] ?? ''
      const problem = pathProblem(path)
      if (problem !== null) return { skipped: problem }
      if (Buffer.byteLength(code) > limits.codeBytes) return { skipped: 'it would be too large' }
      return code.trim() === '' ? { skipped: key === 'before' ? 'it is new' : 'it would be empty' } : { code }
    }
    return applyRules(await collectReports(io, client, sources, readFrom, options), () => loaded.config)
  }
  const { reports, off } = await analyze('after')
  const { reports: before } = await analyze('before')
  const oldLines = new Map(before.map(({ path, lines }) => [path, lines]))
  const earlier = {
    known: knownIn(before),
    oldPath: (path: string) => path,
    isGone: () => false,
    oldLines: (path: string) => oldLines.get(path)
  }
  return { ...compare(reports, earlier), off, withModel: false, isCompared: true }
}
