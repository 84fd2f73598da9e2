import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Analyzers } from '../analysis-pool/pool.js'
import type { Finding } from '@filewright/contracts'
import { parseRecordedCases, type RecordedCase } from './recorded-cases.js'
import { replayAnalyze, replayGenerate } from './replay.js'

export interface Row {
  model: string
  task: string
  passed: number
  total: number
  failures: string[]
}

export interface ScoreDeps {
  analysis: Pick<Analyzers, 'analyze' | 'checkSyntax' | 'prove'>
  /** Where the recorded responses are. */
  folder: string
}

type Judge = (each: RecordedCase, deps: ScoreDeps) => Promise<boolean>

const keyOf = ({ line, message }: Finding): string => `${line} ${message}`

/** The model's findings beyond those of the tools. */
export async function addedFindings(
  each: RecordedCase,
  { analysis }: Pick<ScoreDeps, 'analysis'>
): Promise<Finding[]> {
  const known = await replayAnalyze(
    { ...each, sections: { ...each.sections, answer: '{"findings":[]}' } },
    { analysis }
  )
  const said = new Set(known.analysis.map(keyOf))
  return (await replayAnalyze(each, { analysis })).analysis.filter((finding) => !said.has(keyOf(finding)))
}

const linesOf = ({ sections }: RecordedCase, name: string): string[] =>
  (sections[name] ?? '').split('\n').filter((line) => line !== '')

/** A file of recorded responses with their expected results. */
const files: ReadonlyArray<readonly [file: string, task: string, judge: Judge]> = [
  [
    'generate-bad.txt',
    'generate: bad answers refused',
    async (each, deps) => (await replayGenerate(each, deps)) === null
  ],
  [
    'generate-good.txt',
    'generate: good answers whole',
    async (each, deps) => (await replayGenerate(each, deps)) === each.sections['want']
  ],
  [
    'analyze-slips.txt',
    'analyze: slipped numbers',
    async (each, deps) =>
      (await addedFindings(each, deps)).every(({ line }) => String(line) === each.fields['line'])
  ],
  [
    'analyze-mixed.txt',
    'analyze: new once, known not at all',
    async (each, deps) => {
      const found = (await addedFindings(each, deps)).map(
        ({ line, type, message }) => `${line} ${type} ${message}`
      )
      const isFound = (want: string): boolean => {
        const [, place = '', text = ''] = /^(\d+ \w+ )(.*)$/.exec(want) ?? []
        return found.some((said) => said.startsWith(place) && said.includes(text))
      }
      return linesOf(each, 'want').every(isFound) && found.length === linesOf(each, 'want').length
    }
  ]
]

/** Replays every recorded response through the service's own code. */
export async function scoreRecorded(deps: ScoreDeps): Promise<Row[]> {
  const rows: Row[] = []
  for (const [file, task, judge] of files) {
    const cases = parseRecordedCases(await readFile(join(deps.folder, file), 'utf8'))
    const failures: string[] = []
    for (const each of cases) if (!(await judge(each, deps))) failures.push(each.name)
    rows.push({
      model: 'recorded',
      task,
      passed: cases.length - failures.length,
      total: cases.length,
      failures
    })
  }
  return rows
}
