import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { startOllamaServer } from '@filewright/testing'
import { serve } from '../child.js'
import { startBareWorker, type BareWorkerSpec } from './bare-worker.js'
import { infoFloor } from './info-floor.js'
import { proxyFloor } from './proxy-floor.js'
import { queuedGenerateFloor, queuedUploadFloor, type QueuedSpec } from './queued-floor.js'
import { streamFloor } from './stream-floor.js'
import { uploadFloor } from './upload-floor.js'

export type FloorSpec =
  | { kind: 'upload'; folder: string; clamdSocket: string }
  | { kind: 'stream'; file: string; sizeBytes: number }
  | { kind: 'info'; databaseUrl: string }
  | { kind: 'proxy'; ollamaUrl: string }
  | ({ kind: 'queued-upload'; folder: string } & QueuedSpec)
  | ({ kind: 'queued-generate' } & QueuedSpec)
  /** The worker of the two queued floors above. */
  | { kind: 'worker'; spec: BareWorkerSpec }
  /** A model that answers at once: the fake server itself, not a floor. */
  | { kind: 'model'; models: readonly string[] }

async function start(spec: FloorSpec): Promise<{ origin: string }> {
  if (spec.kind === 'model') {
    return {
      origin: (await startOllamaServer({ models: spec.models, respond: () => 'ok', logLimit: 0 })).url
    }
  }
  if (spec.kind === 'worker') {
    await startBareWorker(spec.spec)
    return { origin: '' }
  }
  const app = await serverOf(spec)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
}

async function serverOf(spec: Exclude<FloorSpec, { kind: 'model' | 'worker' }>): Promise<FastifyInstance> {
  switch (spec.kind) {
    case 'upload':
      return await uploadFloor(spec)
    case 'queued-upload':
      return await queuedUploadFloor(spec)
    case 'queued-generate':
      return await queuedGenerateFloor(spec)
    case 'stream':
      return streamFloor(spec)
    case 'info':
      return infoFloor(spec)
    case 'proxy':
      return proxyFloor(spec)
  }
}

serve(start)
