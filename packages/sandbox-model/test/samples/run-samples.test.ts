import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transformSync } from 'esbuild'
import t from 'tap'
import { chooseSample, samplesOf, topics } from '../../src/index.js'
import { phrasings } from '../helpers/phrasings.js'
import { javascriptChecks, pythonChecks } from '../helpers/run-checks.js'

/** Shared by the statements of all JavaScript checks. */
const PRELUDE = `
import assert from 'node:assert/strict'
export async function check (it, { fixture, folder }) {
  const eq = assert.deepEqual
  const fails = async (run) => await assert.rejects(async () => await run())
  STATEMENTS
}`

const python = ((): string | undefined => {
  try {
    execFileSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 10)'], { stdio: 'ignore' })
    return 'python3'
  } catch {
    return undefined
  }
})()

const root = t.testdir({ files: { 'fixture.txt': 'one\ntwo\n' } })
const folder = join(root, 'files')
const fixture = join(folder, 'fixture.txt')

function asked(id: string, language: string): string {
  const chosen = (phrasings[id] ?? []).map(
    (prompt) => chooseSample({ prompt, kind: 'code', language, framework: '' }).text
  )
  t.equal(new Set(chosen).size, 1, `every phrasing of ${id} gets the same sample in ${language}`)
  return chosen[0] ?? ''
}

const codeTopics = topics.filter(({ kind }) => kind === 'code').map(({ id }) => id)
const idsIn = (language: string): string[] =>
  codeTopics.filter((id) => samplesOf(id).some((sample) => sample.language === language))

for (const language of ['javascript', 'typescript']) {
  t.test(`every sample in ${language} does what it says`, async (t) => {
    const modules = join(root, language)
    mkdirSync(modules)
    t.strictSame(
      idsIn(language),
      Object.keys(javascriptChecks)
        .filter((id) => codeTopics.includes(id))
        .sort(byTable)
    )
    for (const id of idsIn(language)) {
      const source = asked(id, language)
      const { code } = transformSync(source, {
        loader: language === 'typescript' ? 'ts' : 'js',
        target: 'node20'
      })
      const [sample, statements] = [join(modules, `${id}.mjs`), join(modules, `${id}.check.mjs`)]
      writeFileSync(sample, code)
      writeFileSync(
        statements,
        PRELUDE.replace('STATEMENTS', () => javascriptChecks[id] ?? 'throw new Error("no check")')
      )
      const it: unknown = await import(pathToFileURL(sample).href)
      const { check } = (await import(pathToFileURL(statements).href)) as {
        check: (it: unknown, files: object) => Promise<void>
      }
      await t.resolves(check(it, { fixture, folder }), id)
    }
  })
}

function byTable(a: string, b: string): number {
  return codeTopics.indexOf(a) - codeTopics.indexOf(b)
}

t.test(
  'every sample in Python does what it says',
  { skip: python === undefined && 'no python3' },
  async (t) => {
    const checks = idsIn('python').filter((id) => id !== 'http-fetch')
    t.strictSame(checks, Object.keys(pythonChecks).sort(byTable))
    const jobs = checks.map((id) => ({ id, source: asked(id, 'python'), check: pythonChecks[id] }))
    // One interpreter for all: starting one takes longer than a check.
    const runner = `
import json, sys, traceback
failed = {}
jobs, fixture, folder = json.load(sys.stdin)
for job in jobs:
    names = {"__name__": "sample_" + job["id"].replace("-", "_"), "fixture": fixture, "folder": folder}
    sys.modules[names["__name__"]] = type(sys)(names["__name__"])
    try:
        exec(compile(job["source"], job["id"], "exec"), names)
        exec(compile(job["check"], job["id"] + " check", "exec"), names)
    except BaseException:
        failed[job["id"]] = traceback.format_exc()
print(json.dumps(failed))`
    const output = execFileSync(python ?? '', ['-c', runner], {
      input: JSON.stringify([jobs, fixture, folder]),
      encoding: 'utf8'
    })

    t.strictSame(JSON.parse(output), {})
  }
)
