// What an analysis costs: CPU seconds for the longest code that is accepted (256 KiB), per language, each in
// a process of its own: the first analysis there, one in a process that has seen such code before, and all
// tool fixes with their checks. Repeat with `npm run speed -w packages/analysis`, for some languages only
// with `npm run speed -w packages/analysis -- python tsx`.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { analyze, analyzedLanguages, fix } from '../dist/src/index.js'
import { largeCode } from '../dist/test/large-code.js'

async function cpuSeconds(work) {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

async function measure(language) {
  const code = await largeCode(language, 256)
  // Texts that differ, because what was made of the last ones is remembered.
  const analyses = []
  for (let run = 1; run <= 4; run++) {
    analyses.push(await cpuSeconds(() => analyze({ code: code + '\n'.repeat(run), language })))
  }
  const fixing = await cpuSeconds(() => fix({ code: `${code}\n\n\n\n\n`, language }))
  return { language, first: analyses[0], warm: Math.min(...analyses.slice(2)), fix: fixing }
}

const cell = (value) => (typeof value === 'number' ? `${value.toFixed(2)} s` : value)
const line = (cells) =>
  `| ${cells.map((each, index) => (index === 0 ? each.padEnd(12) : each.padStart(8))).join(' | ')} |`

if (process.send !== undefined) {
  process.send(await measure(process.argv[2]))
  process.disconnect()
} else {
  const wanted = process.argv.slice(2)
  const columns = ['language', 'first', 'warm', 'fix']
  console.log(line(columns))
  for (const language of wanted.length > 0 ? wanted : analyzedLanguages) {
    const child = fork(fileURLToPath(import.meta.url), [language])
    const [row] = await once(child, 'message')
    console.log(line(columns.map((name) => cell(row[name]))))
  }
}
