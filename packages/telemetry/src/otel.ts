import {
  context,
  diag,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { isAppError, type Logger } from '@filewright/runtime'
import type { Tracing } from './tracing.js'

const kinds = { client: SpanKind.CLIENT, producer: SpanKind.PRODUCER }
const CLOSE_MS = 2_000

/**
 * Explicit spans at the few places where one process calls another: instrumenting every library would cost
 * more than it tells.
 */
export function createOtelTracing({
  endpoint,
  service,
  logger
}: {
  endpoint: string
  service: string
  logger: Logger
}): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new BatchSpanProcessor(exporter)]
  })
  // Node's context follows promises; the propagator is W3C's.
  provider.register()
  const note = (message: string): void => logger.warn({ message }, 'trace export failed')
  const quiet = (): void => {}
  diag.setLogger({ error: note, warn: note, info: quiet, debug: quiet, verbose: quiet })
  const tracer = provider.getTracer('filewright')

  /** The kind of error, not its message, which may contain user data. */
  function fail(span: Span, error: unknown): void {
    span.setAttribute(
      'error.type',
      isAppError(error) ? error.code : error instanceof Error ? error.name : 'unknown'
    )
    span.setStatus({ code: SpanStatusCode.ERROR })
  }

  async function run<T>(span: Span, parent: Context, work: () => Promise<T>): Promise<T> {
    try {
      return await context.with(trace.setSpan(parent, span), work)
    } catch (error) {
      fail(span, error)
      throw error
    } finally {
      span.end()
    }
  }

  return {
    isOn: true,
    span: async (name, kind, attributes, work) => {
      const parent = context.active()
      // Health checks and sweeps belong to no request.
      if (trace.getSpan(parent) === undefined) return await work(quiet)
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent)
      return await run(
        span,
        parent,
        async () =>
          await work((more) => {
            span.setAttributes(more)
          })
      )
    },
    inject: () => {
      if (trace.getSpan(context.active()) === undefined) return undefined
      const carrier = {}
      propagation.inject(context.active(), carrier)
      return JSON.stringify(carrier)
    },
    resume: async (carried, name, work) => {
      const parent = carried === undefined ? undefined : extract(carried)
      if (parent === undefined) return await work()
      return await run(tracer.startSpan(name, { kind: SpanKind.CONSUMER }, parent), parent, work)
    },
    request: (headers) => {
      const parent = propagation.extract(ROOT_CONTEXT, headers)
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, parent)
      const inside = trace.setSpan(parent, span)
      return {
        within: (next) => context.with(inside, next),
        end: ({ method, route, status }) => {
          span.updateName(`${method} ${route}`)
          span.setAttributes({
            'http.request.method': method,
            'http.route': route,
            'http.response.status_code': status
          })
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        }
      }
    },
    close: async () => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_MS)
      })
      // An unreachable collector must not block the process.
      await Promise.race([provider.shutdown().catch(() => {}), late])
      clearTimeout(timer)
    }
  }
}

function extract(carried: string): Context | undefined {
  try {
    const parent = propagation.extract(ROOT_CONTEXT, JSON.parse(carried) as Record<string, string>)
    return trace.getSpanContext(parent) === undefined ? undefined : parent
  } catch {
    return undefined
  }
}
