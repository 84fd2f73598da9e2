import type { Logger } from '@filewright/runtime'
import type { Tracing } from './tracing.js'

export interface TracingOptions {
  endpoint: string | undefined
  service: string
  logger: Logger
}

const noTracing: Tracing = {
  isOn: false,
  span: async (_name, _kind, _attributes, work) => await work(() => {}),
  inject: () => undefined,
  resume: async (_carried, _name, work) => await work(),
  request: () => ({
    within: (next) => next(),
    end: () => {}
  }),
  close: async () => {}
}

/** OpenTelemetry is loaded only when a collector is configured. */
export async function startTracing({ endpoint, service, logger }: TracingOptions): Promise<Tracing> {
  if (endpoint === undefined) return noTracing
  const { createOtelTracing } = await import('./otel.js')
  return createOtelTracing({ endpoint, service, logger })
}
