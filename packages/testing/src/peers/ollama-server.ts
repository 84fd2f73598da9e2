import {
  startOllamaServer as startServer,
  type OllamaServer,
  type OllamaServerOptions as ServerOptions
} from '@filewright/sandbox-model'
import { createFaultInterceptor, type FaultScript } from './ollama-faults.js'

export interface OllamaServerOptions extends Omit<ServerOptions, 'intercept'> {
  script?: FaultScript
}

/** The sandbox model's server, with faults. */
export async function startOllamaServer({
  script,
  ...options
}: OllamaServerOptions = {}): Promise<OllamaServer> {
  return await startServer({
    ...options,
    ...(script === undefined ? {} : { intercept: createFaultInterceptor(script) })
  })
}
