import type { Analyzers } from '../analysis-pool/pool.js'
import { models, type ModelId } from '@filewright/contracts'
import type { ModelClient } from '@filewright/llm'
import type { AnalyzePayload, GeneratePayload } from '@filewright/queue'
import { analyze } from '../analyze.js'
import { generate } from '../generate.js'
import { createMeter } from '../usage.js'
import { analyzeTasks, generateTasks } from './live-tasks.js'
import { passesTests } from './run-tests.js'
import type { Row, ScoreDeps } from './score-recorded.js'

export interface LiveDeps {
  analysis: ScoreDeps['analysis'] & Pick<Analyzers, 'runCheck'>
  model: Pick<ModelClient, 'chat'>
  answerMs: number
}

const common = { v: 1 as const, id: 'eval', requestId: 'eval' }

/** Gives the tasks to every model of the catalogue. A task that fails for any reason counts as not passed. */
export async function scoreLive({ model, analysis, answerMs }: LiveDeps): Promise<Row[]> {
  const signal = new AbortController().signal
  const deps = { analysis, answerMs, logger: { warn: () => {} } }
  const meter = () => createMeter({ model, report: async () => {} })
  const rows: Row[] = []

  async function score<T>(
    id: ModelId,
    task: string,
    tasks: readonly T[],
    nameOf: (each: T) => string,
    passes: (each: T) => Promise<boolean>
  ): Promise<void> {
    const failures: string[] = []
    for (const each of tasks) if (!(await passes(each).catch(() => false))) failures.push(nameOf(each))
    rows.push({ model: id, task, passed: tasks.length - failures.length, total: tasks.length, failures })
  }

  for (const { id } of models) {
    await score(
      id,
      'generate',
      generateTasks,
      ({ prompt }) => prompt,
      async ({ prompt, language, holds, tests }) => {
        const payload: GeneratePayload = {
          ...common,
          kind: 'generate',
          model: id,
          prompt,
          type: 'code',
          language,
          stream: false
        }
        const { content: code } = await generate(payload, meter(), signal, deps)
        return (
          holds.test(code) &&
          (tests === undefined || (await passesTests({ code, language, tests }, analysis)))
        )
      }
    )
    await score(
      id,
      'analyze: planted bugs found',
      analyzeTasks,
      ({ code }) => code.split('\n', 1)[0] ?? '',
      async ({ code, language, line }) => {
        const payload: AnalyzePayload = {
          ...common,
          kind: 'analyze',
          model: id,
          code,
          language,
          analysisTypes: ['bugs']
        }
        return (await analyze(payload, meter(), signal, deps)).body.analysis.some(
          (finding) => finding.line === line
        )
      }
    )
  }
  return rows
}
