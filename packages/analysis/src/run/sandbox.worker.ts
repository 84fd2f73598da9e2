import { parentPort, workerData } from 'node:worker_threads'
import { compareRuns, type Comparison } from './compare-runs.js'
import type { Answer, Question } from './sandbox-thread.js'

const calls = workerData as Int32Array
let comparison: Comparison | null = null

async function answer(question: Question): Promise<Answer> {
  if ('areYouThere' in question) return { isThere: true }
  if ('mutant' in question) return { isNoticed: comparison?.notices(question.mutant) === true }
  comparison = await compareRuns(question.versions, () => Atomics.add(calls, 0, 1))
  return { functions: comparison?.functions ?? null }
}

parentPort?.on('message', (question: Question) => {
  answer(question)
    .catch((error: unknown): Answer => ({ failure: String(error) }))
    .then((message) => parentPort?.postMessage(message))
    .catch(() => {})
})
