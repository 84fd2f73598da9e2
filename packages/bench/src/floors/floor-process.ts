import type { AddressInfo } from 'node:net'
import { startOllamaServer } from '@filewright/testing'
import { serve } from '../child.js'
import { infoFloor } from './info-floor.js'
import { proxyFloor } from './proxy-floor.js'
import { streamFloor } from './stream-floor.js'
import { uploadFloor } from './upload-floor.js'

export type FloorSpec =
  | { kind: 'upload'; folder: string; clamdSocket: string }
  | { kind: 'stream'; file: string; sizeBytes: number }
  | { kind: 'info'; databaseUrl: string }
  | { kind: 'proxy'; ollamaUrl: string }
  /** A model that answers at once: the peer itself, not a floor. */
  | { kind: 'model'; models: readonly string[] }

async function start(spec: FloorSpec): Promise<{ origin: string }> {
  if (spec.kind === 'model') {
    return {
      origin: (await startOllamaServer({ models: spec.models, respond: () => 'ok', logLimit: 0 })).url
    }
  }
  const app =
    spec.kind === 'upload'
      ? await uploadFloor(spec)
      : spec.kind === 'stream'
        ? streamFloor(spec)
        : spec.kind === 'info'
          ? infoFloor(spec)
          : proxyFloor(spec)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
}

serve(start)
