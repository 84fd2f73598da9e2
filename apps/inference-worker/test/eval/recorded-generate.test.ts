import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { checkSyntax } from '@filewright/analysis'
import { parseRecordedCases, type RecordedCase } from '../../src/eval/recorded-cases.js'
import { replayGenerate } from '../../src/eval/replay.js'

t.setTimeout(300_000)
const analysis = { checkSyntax }
const casesIn = async (name: string): Promise<RecordedCase[]> =>
  parseRecordedCases(await readFile(join(import.meta.dirname, '../../../recorded', name), 'utf8'))

t.test('no bad response to generate is returned', async (t) => {
  const cases = await casesIn('generate-bad.txt')
  t.ok(cases.length >= 60, `${cases.length} answers`)
  for (const each of cases) t.equal(await replayGenerate(each, { analysis }), null, each.name)
})

t.test('good responses in odd wrappings are returned completely', async (t) => {
  const cases = await casesIn('generate-good.txt')
  t.ok(cases.length >= 60, `${cases.length} answers`)
  for (const each of cases) {
    t.equal(await replayGenerate(each, { analysis }), each.sections['want'], each.name)
  }
})
