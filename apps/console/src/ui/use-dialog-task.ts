import { useState } from 'preact/hooks'
import { explainError } from '../explain-error.js'

export interface Task {
  isRunning: boolean
  /** Why the last run failed. */
  problem: string
  setProblem: (problem: string) => void
  run: (work: () => Promise<void>) => Promise<void>
}

/** One request of a dialog, which stays open with the reason when the request fails. */
export function useDialogTask(): Task {
  const [isRunning, setRunning] = useState(false)
  const [problem, setProblem] = useState('')
  return {
    isRunning,
    problem,
    setProblem,
    run: async (work) => {
      setRunning(true)
      setProblem('')
      try {
        await work()
      } catch (error) {
        setProblem(explainError(error))
      } finally {
        setRunning(false)
      }
    }
  }
}
