import { useEffect, useRef, useState } from 'preact/hooks'
import { explainError } from '../explain-error.js'

export interface Task {
  isRunning: boolean
  /** Why the last run failed, or empty. */
  problem: string
  /** Starts a run unless one is in progress. */
  run: (work: (signal: AbortSignal) => Promise<void>) => Promise<void>
  stop: () => void
  /** Shows a validation message beside the form. */
  complain: (problem: string) => void
}

/** One request at a time. Leaving the view cancels it, and the model's work with it. */
export function useTask(): Task {
  const [isRunning, setRunning] = useState(false)
  const [problem, setProblem] = useState('')
  const abort = useRef<AbortController | null>(null)
  useEffect(
    () => () => {
      abort.current?.abort()
    },
    []
  )

  async function run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (abort.current !== null) return
    const controller = new AbortController()
    abort.current = controller
    setProblem('')
    setRunning(true)
    try {
      await work(controller.signal)
    } catch (error) {
      if (!controller.signal.aborted) setProblem(explainError(error))
    } finally {
      abort.current = null
      setRunning(false)
    }
  }

  return { isRunning, problem, run, stop: () => abort.current?.abort(), complain: setProblem }
}
