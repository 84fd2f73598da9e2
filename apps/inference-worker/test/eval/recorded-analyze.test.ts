import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { analyze, checkSyntax } from '@filewright/analysis'
import { prove } from '@filewright/rewrites'
import type { Finding } from '@filewright/contracts'
import { parseRecordedCases, type RecordedCase } from '../../src/eval/recorded-cases.js'
import { addedFindings } from '../../src/eval/score-recorded.js'

t.setTimeout(300_000)
const casesIn = async (name: string): Promise<RecordedCase[]> =>
  parseRecordedCases(await readFile(join(import.meta.dirname, '../../../recorded', name), 'utf8'))

const added = async (each: RecordedCase): Promise<Finding[]> =>
  await addedFindings(each, { analysis: { analyze, checkSyntax, prove } })

t.test('findings with a wrong line number are corrected or dropped', async (t) => {
  const cases = await casesIn('analyze-slips.txt')
  t.ok(cases.length >= 40, `${cases.length} findings`)
  let landed = 0
  for (const each of cases) {
    const lines = (await added(each)).map(({ line }) => line)
    // A finding that the tools also report is dropped, wherever it is.
    t.strictSame(
      lines.filter((line) => String(line) !== each.fields['line']),
      [],
      each.name
    )
    landed += lines.length
  }
  t.comment(`${landed} of ${cases.length} landed, the others were dropped`)
  t.ok(landed >= 25, 'most are of use')
})

t.test('mixed responses give every new finding once and nothing else', async (t) => {
  const cases = await casesIn('analyze-mixed.txt')
  t.ok(cases.length >= 20, `${cases.length} answers`)
  for (const each of cases) {
    const found = await added(each)
    const linesOf = (name: string): string[] =>
      (each.sections[name] ?? '').split('\n').filter((line) => line !== '')
    for (const want of linesOf('want')) {
      const [, line, type, text = ''] = /^(\d+) (\w+) (.*)$/.exec(want) ?? []
      t.equal(
        found.filter(
          (finding) =>
            finding.line === Number(line) && finding.type === type && finding.message.includes(text)
        ).length,
        1,
        `${each.name}: ${want}`
      )
    }
    for (const text of linesOf('not')) {
      t.notOk(
        found.some(({ message }) => message.includes(text)),
        `${each.name}: not ${text}`
      )
    }
    t.equal(
      found.length,
      linesOf('want').length,
      `${each.name}: ${found.map(({ message }) => message).join('; ')}`
    )
  }
})
