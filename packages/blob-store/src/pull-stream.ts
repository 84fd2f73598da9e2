import { Readable } from 'node:stream'
import { onAbort } from '@filewright/runtime'
import { cancelled } from './abort.js'

export interface PullStreamOptions {
  /** The next bytes, or null at the end. Never called again before it has settled. */
  pull: () => Promise<Uint8Array | null>
  /** Called once: at the end, on an error or on destroy. `idle` settles when no pull is running. */
  close: (idle: Promise<unknown>) => Promise<void> | void
  signal?: AbortSignal | undefined
  highWaterMark: number
}

/** A Readable over a pull function that releases its resource however the reader ends. */
export function createPullStream({ pull, close, signal, highWaterMark }: PullStreamOptions): Readable {
  let pulling: Promise<unknown> = Promise.resolve()
  let stopListening = (): void => {}
  const stream = new Readable({
    highWaterMark,
    read() {
      pulling = pull().then(
        (chunk) => {
          this.push(chunk)
        },
        (error: Error) => {
          this.destroy(error)
        }
      )
    },
    destroy(error, done) {
      stopListening()
      Promise.resolve(close(pulling)).then(
        () => done(error),
        (closeError: Error) => done(error ?? closeError)
      )
    }
  })
  stopListening = onAbort(signal, (reason) => {
    stream.destroy(cancelled(reason))
  })
  return stream
}
