import { abortable, onAbort } from '@filewright/runtime'
import { ModelError } from '../model-error.js'

export interface Call {
  /** Aborts with a ModelError: cancelled by the caller, or a deadline. */
  signal: AbortSignal
  /** Starts the timeout for the next data from the runtime; stops the previous one. */
  expectWithin: (ms: number, what: string) => void
  /** Stops the timeout while our own code runs. */
  arrived: () => void
  /** Abandons `work` as soon as the signal aborts, and throws its reason. */
  untilAborted: <T>(work: Promise<T>) => Promise<T>
  /** Clears timers and listeners, and ends what still depends on the signal. */
  close: () => void
}

const CLOSED = new ModelError('cancelled', 'the call is over')

export interface CallOptions {
  signal: AbortSignal | undefined
  /** Absent: the call as a whole has no limit. */
  totalMs?: number
}

/** The deadlines of one exchange with the runtime, combined with the caller's signal. */
export function createCall({ signal: outer, totalMs }: CallOptions): Call {
  const controller = new AbortController()
  const { signal } = controller
  const fail = (error: ModelError): void => {
    controller.abort(error)
  }

  const stopListening = onAbort(outer, (reason) => {
    fail(new ModelError('cancelled', 'the call was cancelled', { cause: reason }))
  })

  let clock: NodeJS.Timeout | undefined
  const arrived = (): void => {
    clearTimeout(clock)
  }
  const total =
    totalMs === undefined
      ? undefined
      : setTimeout(() => {
          fail(new ModelError('timeout', `the model's answer took longer than ${totalMs} ms`))
        }, totalMs)

  return {
    signal,
    arrived,
    expectWithin: (ms, what) => {
      clearTimeout(clock)
      clock = setTimeout(() => {
        fail(new ModelError('timeout', `no ${what} from the model within ${ms} ms`))
      }, ms)
    },
    untilAborted: async (work) => await abortable(work, signal),
    close: () => {
      clearTimeout(clock)
      clearTimeout(total)
      stopListening()
      // With a reason: an abort without one creates an error with a stack trace.
      controller.abort(CLOSED)
    }
  }
}
