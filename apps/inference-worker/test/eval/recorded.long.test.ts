import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { analyze, checkSyntax } from '@filewright/analysis'
import { prove } from '@filewright/rewrites'
import { parseRecordedCases } from '../../src/eval/recorded-cases.js'
import { replayAnalyze, replayGenerate } from '../../src/eval/replay.js'

t.setTimeout(600_000)
const analysis = { analyze, checkSyntax, prove }

t.test('the recorded responses give the same results twenty times', async (t) => {
  let answers = 0
  for (const file of ['generate-bad.txt', 'generate-good.txt', 'analyze-slips.txt', 'analyze-mixed.txt']) {
    for (const each of parseRecordedCases(
      await readFile(join(import.meta.dirname, '../../../recorded', file), 'utf8')
    )) {
      const results = new Set<string>()
      for (let times = 0; times < 20; times++) {
        results.add(
          JSON.stringify(
            file.startsWith('generate')
              ? await replayGenerate(each, { analysis })
              : await replayAnalyze(each, { analysis })
          )
        )
      }
      t.equal(results.size, 1, each.name)
      answers++
    }
  }
  t.ok(answers >= 150, `${answers} answers`)
})
