import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@filewright/acceptance'
import type { Kind } from './options.js'
import type { Outcome, Sample } from './sample.js'

/** At a rate limit, the client waits as requested and retries. */
const MAX_WAITS = 10

export interface UploadDeps {
  client: Client
  baseUrl: string
  /** Whether to download an accepted file and compare. */
  compares: () => boolean
  /** Removes each file again, on a service that is not ours. */
  removes: boolean
  project: string
}

/** Uploads one file and returns the outcome. */
export async function upload(
  { source, name }: Sample,
  kind: Kind,
  bytes: Buffer,
  { client, baseUrl, compares, removes, project }: UploadDeps
): Promise<Outcome> {
  const facts = { kind, source, name, sizeBytes: bytes.length }
  for (let waits = 0; ; waits++) {
    const startedAt = performance.now()
    try {
      const reply = await client.upload({ content: bytes, name, project })
      const ms = performance.now() - startedAt
      if (reply.status === 429 && waits < MAX_WAITS) {
        await sleep(1000 * Number(reply.headers.get('retry-after') ?? 1))
        continue
      }
      if (reply.status !== 201) {
        return {
          ...facts,
          status: reply.status,
          ms,
          reason: reply.headers.get('x-rejection') ?? String(reply.body?.error ?? 'no reason')
        }
      }
      const { id, type } = reply.body.file
      const outcome: Outcome = { ...facts, status: 201, ms, type }
      if (compares()) {
        outcome.bytesEqual = (
          await client.download(`${baseUrl}/api/files/${String(id)}/download`)
        ).bytes.equals(bytes)
      }
      if (removes) await client.call('DELETE', `/api/files/${String(id)}`)
      return outcome
    } catch (error) {
      return {
        ...facts,
        status: 0,
        ms: performance.now() - startedAt,
        reason: `no answer: ${String(error)}`
      }
    }
  }
}
