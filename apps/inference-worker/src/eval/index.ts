import { createAnalysisPool } from '../analysis-pool/pool.js'
import { createModelClient, LlmConfig } from '@filewright/llm'
import { createLogger, loadConfig, type Environment } from '@filewright/runtime'
import { scoreLive } from './score-live.js'
import { scoreRecorded, type Row } from './score-recorded.js'

export const USAGE = `npm run eval              replays the recorded answers
npm run eval -- --live    also asks the models that the environment names (OLLAMA_HOST, MODEL_PROVIDER …)
npm run eval -- --json    prints the rows as JSON`

export interface EvalOptions {
  live: boolean
  /** Where the recorded responses are. */
  folder: string
  env: Environment
}

export async function runEval({ live, folder, env }: EvalOptions): Promise<Row[]> {
  const pool = createAnalysisPool({ size: 1 })
  const analysis = pool.inLane(undefined)
  try {
    const rows = await scoreRecorded({ analysis, folder })
    if (!live) return rows
    const config = loadConfig<LlmConfig>(LlmConfig, env)
    const model = createModelClient(config, createLogger({ name: 'eval', level: 'silent' }))
    try {
      return [...rows, ...(await scoreLive({ model, analysis, answerMs: config.OLLAMA_TOTAL_TIMEOUT_MS }))]
    } finally {
      await model.close()
    }
  } finally {
    await pool.close()
  }
}

/** A row per model and task, and the failed tasks below. */
export function evalTable(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ model, task, passed, total }) =>
      `${model.padEnd(14)} ${task.padEnd(38)} ${String(passed).padStart(4)} of ${total}`
  )
  const failed = rows.flatMap(({ model, task, failures }) =>
    failures.map((name) => `not passed: ${model}, ${task}: ${name}`)
  )
  return [...lines, ...failed].join('\n')
}
