/**
 * Sizes, counts and catalogue names. Never a token, a prompt, code or a file name: spans leave the machine.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export type SpanKind = 'client' | 'producer'

export interface RequestTrace {
  /**
   * Continues inside the request's span. Event emitters lose the context, so this is called again after the
   * body.
   */
  within: (next: () => void) => void
  end: (answer: { method: string; route: string; status: number }) => void
}

export interface Tracing {
  readonly isOn: boolean
  /** The work as one step of the current trace. Without a trace it just runs. */
  span: <T>(
    name: string,
    kind: SpanKind,
    attributes: SpanAttributes,
    work: (note: (more: SpanAttributes) => void) => Promise<T>
  ) => Promise<T>
  /** Trace context that a job carries to its worker. */
  inject: () => string | undefined
  /** Runs a job inside its requester's trace, if it carries one. */
  resume: <T>(carried: string | undefined, name: string, work: () => Promise<T>) => Promise<T>
  /** @param headers the headers of a caller whose trace is trusted */
  request: (headers: Readonly<Record<string, unknown>>) => RequestTrace
  /** Flushes the remaining spans. */
  close: () => Promise<void>
}
