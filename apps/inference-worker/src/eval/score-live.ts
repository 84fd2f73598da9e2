import { models, type Language, type ModelId } from '@filewright/contracts'
import type { ModelClient } from '@filewright/llm'
import type { AnalyzePayload, GeneratePayload } from '@filewright/queue'
import { analyze } from '../analyze.js'
import { generate } from '../generate.js'
import { createMeter } from '../usage.js'
import type { Row, ScoreDeps } from './score-recorded.js'

interface GenerateTask {
  prompt: string
  language: Language
  /** What a right answer holds. */
  holds: RegExp
}

interface AnalyzeTask {
  code: string
  language: Language
  /** The line with the planted bug. */
  line: number
}

const generateTasks: readonly GenerateTask[] = [
  {
    prompt: 'Write a function named clamp that limits a number to a lower and an upper bound.',
    language: 'javascript',
    holds: /\bclamp\b/
  },
  {
    prompt: 'Write a function named median that returns the median of a list of numbers.',
    language: 'python',
    holds: /\bdef median\b/
  },
  {
    prompt: 'Write a function named Reverse that reverses a string by runes.',
    language: 'go',
    holds: /\bfunc Reverse\b/
  },
  {
    prompt: 'Write a query that lists the five customers with the most orders.',
    language: 'sql',
    holds: /\blimit\s+5\b|\bfetch first 5\b/i
  }
]

const analyzeTasks: readonly AnalyzeTask[] = [
  {
    code: 'export function mean (numbers) {\n  let sum = 0\n  for (const number of numbers) sum += number\n  return sum / numbers.length\n}\n',
    language: 'javascript',
    line: 4
  },
  {
    code: 'def last_two(items):\n    first = items[-2]\n    second = items[-1]\n    return first + second\n',
    language: 'python',
    line: 2
  },
  {
    code: 'export async function pay (cart, charge, store) {\n  charge(cart.total)\n  await store.save({ paid: true })\n}\n',
    language: 'javascript',
    line: 2
  }
]

export interface LiveDeps extends Pick<ScoreDeps, 'analysis'> {
  model: Pick<ModelClient, 'chat'>
  answerMs: number
}

const common = { v: 1 as const, id: 'eval', requestId: 'eval' }

/** Asks every entry of the catalogue. A task that fails for whatever reason is not passed. */
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
      async ({ prompt, language, holds }) => {
        const payload: GeneratePayload = {
          ...common,
          kind: 'generate',
          model: id,
          prompt,
          type: 'code',
          language,
          stream: false
        }
        return holds.test((await generate(payload, meter(), signal, deps)).content)
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
