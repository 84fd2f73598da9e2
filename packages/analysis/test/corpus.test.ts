import t from 'tap'
import { analyze, analysisTypes, analyzedLanguages, type Finding } from '../src/index.js'
import { readClean, readFlawed } from './corpus.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(600_000)

const flawed = readFlawed()
const clean = readClean()

function show(findings: readonly Finding[]): string[] {
  return findings.map(({ line, ruleId, message }) => `${line} ${ruleId}: ${message}`)
}

t.test('there is clean code in every language', async (t) => {
  t.ok(clean.length >= 200, `${clean.length} clean snippets`)
  for (const language of analyzedLanguages) {
    t.ok(
      clean.some((snippet) => snippet.language === language),
      language
    )
  }
})

t.test('clean code gets no finding at all', async (t) => {
  const wrong: string[] = []
  for (const { title, code, language } of clean) {
    const findings = await analyze(
      { code, language },
      { onFailure: (where, error) => wrong.push(`${title}: ${where}: ${String(error)}`) }
    )
    if (findings.length > 0) wrong.push(`${title}\n  ${show(findings).join('\n  ')}`)
  }

  t.comment(`${clean.length} clean snippets`)
  t.strictSame(wrong, [])
})

t.test('the same code gives the same findings five times', async (t) => {
  const sample = flawed.filter((_, index) => index % 24 === 0)
  for (const { title, code, language } of sample) {
    const first = JSON.stringify(await analyze({ code, language }))
    for (let round = 1; round < 5; round++) {
      if (JSON.stringify(await analyze({ code, language })) !== first) t.fail(title)
    }
  }
  t.ok(sample.length >= 10)
})

t.test('asking for one analysis type gives exactly the findings of that type', async (t) => {
  // Whether a suppression is used shows only when its rule runs, which may be of another type.
  const sample = flawed.filter(({ title }) => !title.includes('suppression'))
  for (const { title, code, language } of sample.filter((_, index) => index % 20 === 0)) {
    const all = await analyze({ code, language })
    for (const analysisType of analysisTypes) {
      const some = await analyze({ code, language, analysisTypes: [analysisType] })
      t.strictSame(
        some,
        all.filter((finding) => finding.analysisType === analysisType),
        `${title} (${analysisType})`
      )
    }
  }
})
