import { abortable, onAbort } from '@filewright/runtime'
import { ModelError } from '../model-error.js'

export interface Call {
  /** Fires with a ModelError: cancelled by the caller, or a deadline. */
  signal: AbortSignal
  /** Starts the clock on the next thing to come from the runtime; stops the clock before it. */
  expectWithin: (ms: number, what: string) => void
  /** Stops the clock: it is our turn now. */
  arrived: () => void
  /** Gives up `work` as soon as the signal fires, and throws its reason. */
  untilAborted: <T>(work: Promise<T>) => Promise<T>
  /** Frees timers and listeners, and ends what still hangs on the signal. */
  close: () => void
}

/** Nobody is told. */
const CLOSED = new ModelError('cancelled', 'the call is over')

export interface CallOptions {
  signal: AbortSignal | undefined
  /** Absent: the call as a whole may take any time. */
  totalMs?: number
}

/** The deadlines of one exchange with the runtime, joined with the caller's signal. */
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
      // Not for nothing: an abort without a reason makes an error of its own, and a picture of the stack for
      // it.
      controller.abort(CLOSED)
    }
  }
}
