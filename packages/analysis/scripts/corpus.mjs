// Prints every error and warning in files and folders of other people's code: npm run corpus -- <path>...
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { analyze } from '../dist/src/index.js'

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
  let errors = 0
  for (const [root, path] of paths.flatMap((each) => [...filesBelow(each)].map((path) => [each, path]))) {
    const code = readFileSync(path, 'utf8')
    const warnings = (
      await analyze({
        code,
        language: extensions[extname(path)],
        analysisTypes: ['security', 'bugs'],
        path: relative(root, path)
      })
    ).filter((each) => each.type === 'warning')
    files++
    if (warnings.length > 0) alarmed++
    for (const { line: place, ruleId, severity } of warnings) {
      if (severity === 'error') errors++
      const text = code.split('\n')[place - 1]?.trim().slice(0, 120)
      console.log(`${path}:${place} ${severity} ${ruleId} | ${text}`)
    }
  }
  console.log(`${alarmed} of ${files} files have a security or bug warning; ${errors} findings are errors`)
}

await measureFiles(process.argv.slice(2))
