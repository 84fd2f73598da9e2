import { setTimeout as wait } from 'node:timers/promises'
import type { Filewright, ReceivedEvent } from '@filewright/client'
import { createSecret, signedHeaders } from '@filewright/webhooks/sign'
import { exitCodes, Failure } from '../failure.js'
import { jsonText, type Io } from '../io.js'

export interface ListenFlags {
  project: string
  forwardTo?: string
  secret?: string
  after?: string
  json?: boolean
}

export interface ListenOptions {
  signal?: AbortSignal
  /** The delays between attempts to forward an event. */
  pausesMs?: readonly number[]
}

/** The same as the service's timeout for an endpoint. */
const TIMEOUT_MS = 10_000
/** The local program may be restarting. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000]

/** Prints the events of a project and forwards each to a local program, signed as a webhook. */
export async function listen(
  io: Io,
  client: Pick<Filewright, 'events'>,
  { project, forwardTo, secret, after, json = false }: ListenFlags,
  { signal, pausesMs = PAUSES_MS }: ListenOptions = {}
): Promise<void> {
  if (forwardTo !== undefined && !/^https?:$/.test(protocolOf(forwardTo))) {
    throw new Failure('--forward-to must be an address such as http://localhost:8080/hook', exitCodes.usage)
  }
  const signing = secret ?? createSecret()
  if (forwardTo !== undefined && secret === undefined) io.note(`Signed with ${signing}\n`)
  io.note(`Waiting for events of ${project}; end with Ctrl-C\n`)
  const options = {
    projectId: project,
    onGap: (reason: string) => {
      io.note(`Events may be missing. ${reason}\n`)
    },
    ...(after === undefined ? {} : { after }),
    ...(signal === undefined ? {} : { signal })
  }

  /** Keeps the order: the next event waits until this one is delivered or given up. */
  async function forwardPatiently(event: ReceivedEvent, url: string): Promise<string> {
    for (const pause of pausesMs) {
      const { result, isFinal } = await forward(event, url, signing)
      if (isFinal) return result
      io.note(`${event.type} ${nameOf(event)} ${result}; trying again in ${pause / 1000} s\n`)
      await wait(pause, undefined, { signal })
    }
    const { result, isFinal } = await forward(event, url, signing)
    return isFinal ? result : `${result}, given up after ${pausesMs.length + 1} attempts`
  }

  for await (const event of client.events(options)) {
    const result = forwardTo === undefined ? '' : await forwardPatiently(event, forwardTo)
    if (json) io.out(jsonText({ ...event, ...(result === '' ? {} : { result }) }))
    else io.out(`${event.timestamp} ${event.type} ${nameOf(event)} ${result}`.trimEnd() + `  ${event.id}\n`)
  }
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}

function nameOf({ data }: ReceivedEvent): string {
  const { name, file_id: fileId } = data as { name?: unknown; file_id?: unknown }
  return typeof name === 'string' ? name : typeof fileId === 'string' ? fileId : ''
}

interface Forwarded {
  result: string
  /** Whether further attempts are pointless. */
  isFinal: boolean
}

async function forward(event: ReceivedEvent, url: string, secret: string): Promise<Forwarded> {
  const { id, type, timestamp, data } = event
  const body = JSON.stringify({ type, timestamp, data })
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...signedHeaders({ id, at: new Date(), body }, [secret]),
        'content-type': 'application/json'
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS)
    })
    await response.body?.cancel()
    const { status } = response
    return { result: String(status), isFinal: status < 500 && status !== 429 }
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: unknown }
    const reason = typeof code === 'string' ? code : (error as Error).message
    return { result: `not delivered: ${reason}`, isFinal: false }
  }
}
