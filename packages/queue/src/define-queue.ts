import { Compile, type TSchema, type Validator } from '@filewright/schema'
import { AppError } from '@filewright/runtime'

/** How long finished jobs stay in Redis: for the poll that replaces a missed event, and no longer. */
export interface KeepFinished {
  /** Seconds. */
  age: number
  count: number
}

export interface QueueJobOptions {
  /** Total attempts, including the first. */
  attempts: number
  backoff?: { type: 'exponential' | 'fixed'; delay: number; jitter?: number }
  /**
   * Default 60 s and 1,000 jobs. A queue with large results needs a smaller count, a very busy one a larger
   * one.
   */
  keepFinished?: KeepFinished
  /**
   * Entries of the event stream, each with a whole result or report. Default 10,000: with 100, some events
   * were lost under load and polling had to replace them. A queue with large results trades that for memory.
   */
  maxEvents?: number
}

export interface QueueSpec<P> {
  /** No `:`, which BullMQ uses in keys. */
  name: string
  payload: TSchema
  result: TSchema
  /** Schema of a running job's reports; without it, reports are refused. */
  progress?: TSchema
  jobOptions: QueueJobOptions
  /** The same id is the same job: adding it again while it exists does nothing. No `:`. */
  jobId: (payload: P) => string
}

/** A queue's contract, shared by producer and worker, so that neither loads the other's code. */
export interface QueueDefinition<P = unknown, R = unknown, G = unknown> {
  readonly name: string
  readonly jobOptions: Required<Pick<QueueJobOptions, 'attempts' | 'keepFinished' | 'maxEvents'>> &
    Pick<QueueJobOptions, 'backoff'>
  jobId(payload: P): string
  parsePayload(value: unknown): P
  parseResult(value: unknown): R
  parseProgress(value: unknown): G
}

export type PayloadOf<D> = D extends { parsePayload(value: unknown): infer P } ? P : never
export type ResultOf<D> = D extends { parseResult(value: unknown): infer R } ? R : never
export type ProgressOf<D> = D extends { parseProgress(value: unknown): infer G } ? G : never

const KEEP_FINISHED: KeepFinished = { age: 60, count: 1_000 }
const MAX_EVENTS = 10_000

/**
 * `defineQueue<ScanFilePayload, ScanFileResult>({ … })`, with the types of the schemas. They are named, not
 * inferred, because inferring schema types takes the compiler many seconds.
 */
export function defineQueue<P = unknown, R = unknown, G = unknown>({
  name,
  payload,
  result,
  progress,
  jobOptions,
  jobId
}: QueueSpec<P>): QueueDefinition<P, R, G> {
  if (name === '' || name.includes(':')) throw new Error(`"${name}" is not a valid queue name`)
  return {
    name,
    jobOptions: { keepFinished: KEEP_FINISHED, maxEvents: MAX_EVENTS, ...jobOptions },
    jobId: (value) => {
      const id = jobId(value)
      // BullMQ refuses these itself, but its error would look like a Redis error.
      if (id === '' || id === '0' || id.includes(':')) {
        throw new Error(`"${id}" is not a valid job id for queue ${name}`)
      }
      return id
    },
    parsePayload: createParser<P>(payload, `payload of queue ${name}`),
    parseResult: createParser<R>(result, `result of queue ${name}`),
    parseProgress:
      progress === undefined
        ? () => {
            throw new AppError('JOB_FAILED', `queue ${name} has no progress`)
          }
        : createParser<G>(progress, `progress of queue ${name}`)
  }
}

/** The message names the path, never the value: payloads contain user data. */
function createParser<V>(schema: TSchema, what: string): (value: unknown) => V {
  let validator: Validator | undefined
  return (value) => {
    // Compiled on first use: a process that only produces never needs the result's validator.
    validator ??= Compile(schema)
    if (validator.Check(value)) return value as V
    const problem = validator.Errors(value)[0]
    throw new AppError(
      'JOB_FAILED',
      `${what} does not match its contract: ${problem?.instancePath ?? ''} ${problem?.message ?? ''}`
    )
  }
}
