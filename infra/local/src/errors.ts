/** A problem that the user can fix: printed as one sentence, without a stack trace. */
export class StackError extends Error {
  readonly exitCode: number

  /** @param exitCode 2 for a wrong call, 1 for everything else, as command lines do. */
  constructor(sentence: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(sentence, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'StackError'
    this.exitCode = options.exitCode ?? 1
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
