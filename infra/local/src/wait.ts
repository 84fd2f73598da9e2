import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type NetConnectOpts } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { linkSignals, onAbort } from '@filewright/runtime'

export interface WaitOptions {
  signal: AbortSignal
  timeoutMs: number
  intervalMs?: number
}

const CHECK_MS = 2_000

/** Null when it is true, otherwise what is still missing. */
export type Check = (signal: AbortSignal) => Promise<string | null>

/** Polls until the check finds nothing missing; returns what was missing last when the time is up. */
export async function waitUntil(
  check: Check,
  { signal, timeoutMs, intervalMs = 75 }: WaitOptions
): Promise<string | null> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    signal.throwIfAborted()
    const missing = await checkOnce(check, signal)
    if (missing === null || Date.now() > deadline) return missing
    await sleep(intervalMs, undefined, { signal })
  }
}

/** The check's own message is worth more than a timeout. */
async function checkOnce(check: Check, outer: AbortSignal): Promise<string | null> {
  const { signal, abort } = linkSignals(outer)
  const timer = setTimeout(abort, CHECK_MS)
  try {
    return await check(signal)
  } catch (error) {
    return String(error)
  } finally {
    clearTimeout(timer)
    abort()
  }
}

/** Asks an HTTP readiness probe. */
export async function probeReady(url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const { status, text } = await httpGet(url, signal)
    if (status === 200) return null
    return reasonIn(text) ?? `${url} answers ${status}`
  } catch {
    return `${url} does not answer`
  }
}

/** Whether every entry of a health report has been checked once, with any result. */
export async function probeLookedAt(url: string, signal: AbortSignal): Promise<string | null> {
  const { text } = await httpGet(url, signal)
  const { checks = {} } = JSON.parse(text) as { checks?: Record<string, { state: string }> }
  return Object.entries(checks).find(([, { state }]) => state === 'unknown')?.[0] ?? null
}

/**
 * A start probes hundreds of times before a server listens, for which `fetch` takes ten times the CPU time.
 */
async function httpGet(url: string, signal: AbortSignal): Promise<{ status: number; text: string }> {
  const request = get(url, { agent: false, signal })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.setEncoding('utf8')
  let text = ''
  for await (const part of response as AsyncIterable<string>) text += part
  return { status: response.statusCode ?? 0, text }
}

function reasonIn(text: string): string | null {
  try {
    const { reason } = JSON.parse(text) as { reason?: unknown }
    return typeof reason === 'string' ? reason : null
  } catch {
    return null
  }
}

/**
 * Connects, sends, and returns the reply once `enough` holds or the peer ends. An empty request only
 * connects.
 */
export async function ask(
  address: NetConnectOpts,
  request: string,
  enough: (reply: string) => boolean,
  signal: AbortSignal
): Promise<string> {
  const socket = connect(address)
  const stopListening = onAbort(signal, () => {
    socket.destroy(new Error('no answer in time'))
  })
  try {
    await once(socket, 'connect')
    if (request === '') return ''
    socket.setEncoding('utf8')
    socket.write(request)
    let reply = ''
    for await (const text of socket as AsyncIterable<string>) {
      reply += text
      if (enough(reply)) break
    }
    return reply
  } finally {
    stopListening()
    socket.destroy()
  }
}
