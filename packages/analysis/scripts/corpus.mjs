// What the analyzers find in the corpus: recall on the exact line per language and kind, false alarms on
// clean code. Repeat with `npm run corpus`. Names of files or folders after `--` are read as clean code of
// other people: every warning is printed.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { analyze } from '../dist/src/index.js'
import { readClean, readFlawed } from '../dist/test/corpus.js'

const extensions = {
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.ts': 'typescript',
  '.tsx': 'tsx',
  '.jsx': 'jsx',
  '.py': 'python',
  '.go': 'go',
  '.java': 'java',
  '.rs': 'rust',
  '.sh': 'shell',
  '.sql': 'sql',
  '.css': 'css',
  '.html': 'html'
}
const maxFileBytes = 100_000

const share = (part, whole) => (whole === 0 ? '-' : `${Math.round((100 * part) / whole)} %`)
const line = (cells) =>
  `| ${cells.map((each, index) => (index < 2 ? each.padEnd(28) : each.padStart(10))).join(' | ')} |`

async function measureCorpus() {
  const rows = new Map()
  for (const { language, code, ruleId, line: place, analysisType } of readFlawed()) {
    const findings = await analyze({ code, language })
    for (const kind of [ruleId, 'all']) {
      const row = rows.get(`${language} ${kind}`) ?? { language, kind, wanted: 0, exact: 0, right: 0 }
      rows.set(`${language} ${kind}`, row)
      row.wanted++
      if (findings.some((each) => each.line === place)) row.exact++
      if (
        findings.some(
          (each) => each.line === place && each.ruleId === ruleId && each.analysisType === analysisType
        )
      ) {
        row.right++
      }
    }
  }
  console.log(line(['language', 'kind', 'snippets', 'line', 'kind']))
  for (const { language, kind, wanted, exact, right } of [...rows.values()].sort((a, b) =>
    a.language < b.language
      ? -1
      : a.language > b.language
        ? 1
        : a.kind === 'all'
          ? 1
          : b.kind === 'all'
            ? -1
            : a.kind < b.kind
              ? -1
              : 1
  )) {
    console.log(line([language, kind, String(wanted), share(exact, wanted), share(right, wanted)]))
  }
  const clean = readClean()
  let alarmed = 0
  for (const { language, code } of clean) if ((await analyze({ code, language })).length > 0) alarmed++
  console.log(`\n${alarmed} of ${clean.length} clean snippets have a finding`)
}

function* filesBelow(path) {
  if (!statSync(path).isDirectory()) {
    if (
      extname(path) in extensions &&
      !/\.d\.ts$|\.min\./.test(path) &&
      statSync(path).size <= maxFileBytes
    ) {
      yield path
    }
    return
  }
  for (const name of readdirSync(path).sort()) {
    if (name !== 'node_modules' && name !== 'dist' && !name.startsWith('.')) {
      yield* filesBelow(join(path, name))
    }
  }
}

async function measureFiles(paths) {
  let [files, alarmed] = [0, 0]
  for (const path of paths.flatMap((each) => [...filesBelow(each)])) {
    const code = readFileSync(path, 'utf8')
    const warnings = (
      await analyze({ code, language: extensions[extname(path)], analysisTypes: ['security', 'bugs'] })
    ).filter((each) => each.type === 'warning')
    files++
    if (warnings.length > 0) alarmed++
    for (const { line: place, ruleId } of warnings) {
      console.log(`${path}:${place} ${ruleId} | ${code.split('\n')[place - 1]?.trim().slice(0, 120)}`)
    }
  }
  console.log(`${alarmed} of ${files} files have a security or bug warning`)
}

const paths = process.argv.slice(2)
if (paths.length > 0) await measureFiles(paths)
else await measureCorpus()
