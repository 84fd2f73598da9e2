import { AppError } from '@filewright/runtime'

/**
 * Time depends on the machine's load rather than on the file, so it never decides a verdict. Not retryable:
 * the next attempt would not end before the client's deadline.
 */
export class OutOfTime extends AppError {
  constructor(work: string, timeoutMs: number) {
    super('SCAN_UNAVAILABLE', `${work} did not end within ${timeoutMs} ms`)
    this.name = 'OutOfTime'
  }
}
