/**
 * Sizes, counts and catalogue names. Never a token, a prompt, code or a file's name: spans leave the machine.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export type SpanKind = 'client' | 'producer'

export interface RequestTrace {
  /**
   * Goes on inside the request's span. Event emitters forget where they were, so this is called again after
   * the body.
   */
  within: (next: () => void) => void
  end: (answer: { method: string; route: string; status: number }) => void
}

export interface Tracing {
  readonly isOn: boolean
  /** The work as one step of the trace at hand. Outside of a trace it is just done. */
  span: <T>(
    name: string,
    kind: SpanKind,
    attributes: SpanAttributes,
    work: (note: (more: SpanAttributes) => void) => Promise<T>
  ) => Promise<T>
  /** What a job carries so that its worker can go on with the trace at hand. */
  inject: () => string | undefined
  /** Runs a job inside the trace that it was asked for in, if it carries one. */
  resume: <T>(carried: string | undefined, name: string, work: () => Promise<T>) => Promise<T>
  /** @param headers of a caller whose own trace is believed */
  request: (headers: Readonly<Record<string, unknown>>) => RequestTrace
  /** Sends what is left. */
  close: () => Promise<void>
}
