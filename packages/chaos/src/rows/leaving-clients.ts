import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { inFlight, uniqueText } from '@filewright/acceptance'
import { multipartBody, poll } from '@filewright/testing'
import type { Random } from '../harness/random.js'
import type { Rig } from '../harness/rig.js'
import type { Row } from '../harness/row.js'
import { open } from '../hostile/raw.js'

const LANES = 24
const LARGE_BYTES = 3_000_000

interface Leaving {
  request: Buffer
  /** The number of request bytes sent before the client disconnects. */
  sent: number
  /** How long it then waits before it disconnects. */
  waitMs: number
  how: 'reset' | 'close' | 'half-close'
  /** Set if it is an upload. */
  name?: string
}

function requestTo(
  rig: Rig,
  method: string,
  path: string,
  headers: Record<string, string | number>,
  body: Buffer = Buffer.alloc(0)
): Buffer {
  const all = {
    host: 'x',
    authorization: `Bearer ${rig.stack.token}`,
    ...(body.length > 0 ? { 'content-length': body.length } : {}),
    ...headers
  }
  return Buffer.concat([
    Buffer.from(
      `${method} ${path} HTTP/1.1\r\n${Object.entries(all)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`
    ),
    body
  ])
}

/** A disconnect at some point of any kind of request. */
function leaving(random: Random, rig: Rig, project: string, largeId: string, index: number): Leaving {
  const how = random.pick(['reset', 'close', 'half-close'] as const)
  const ai = (path: string, body: object, accept: string): Buffer =>
    requestTo(
      rig,
      'POST',
      `/api/ai/${path}`,
      { 'content-type': 'application/json', accept },
      Buffer.from(JSON.stringify(body))
    )
  const kind = random.below(10)
  if (kind < 5) {
    const name = `left-${index}.txt`
    const file = {
      name: 'file',
      filename: name,
      content: uniqueText(random.pick([10, 2_000, 60_000, 400_000]))
    }
    const { body, contentType } = multipartBody(
      random.shuffled([{ name: 'project_id', value: project }, file])
    )
    const request = requestTo(
      rig,
      'POST',
      '/api/files/upload',
      { 'content-type': contentType, ...(random.below(8) === 0 ? { expect: '100-continue' } : {}) },
      body
    )
    const whole = random.below(3) === 0
    return {
      request,
      name,
      how,
      sent: whole ? request.length : random.below(request.length),
      waitMs: random.below(whole ? 120 : 30)
    }
  }
  const request =
    kind < 7
      ? requestTo(rig, 'GET', random.pick([`/api/files/${largeId}/download`, `/cdn/files/${largeId}`]), {})
      : kind < 8
        ? requestTo(rig, 'GET', `/api/files?project_id=${project}`, {})
        : kind < 9
          ? ai(
              'generate',
              { prompt: `p ${index}`, type: 'code', language: 'javascript' },
              random.pick(['application/json', 'text/event-stream'])
            )
          : ai(
              random.pick(['analyze', 'optimize']),
              { code: `export const a = ${index}\n`, language: 'javascript' },
              'application/json'
            )
  return {
    request,
    how,
    sent: random.below(4) === 0 ? random.below(request.length) : request.length,
    waitMs: random.below(250)
  }
}

export const leavingClients: Row = {
  name: 'clients that abort anywhere',
  promises: ['P2', 'P8', 'P9', 'P11'],
  target: '2,000, 0 leaks',
  counts: { quick: 120, full: 2_000 },
  run: async ({ rig, tally, count, random, say }) => {
    const subject = rig.subject({ onFault: tally.violate })
    const project = 'leaving-clients'
    const large = await subject.upload({ project: 'leaving-clients-large', sizeBytes: LARGE_BYTES })
    rig.scriptModel(() => ({ kind: 'slow', firstTokenMs: 150, perTokenMs: 20 }))
    /** Uploads that never arrived completely. */
    const cutShort = new Set<string>()

    await inFlight(count, LANES, async (index) => {
      tally.operations++
      tally.injected++
      const plan = leaving(random.fork(index), rig, project, large.id ?? '', index)
      if (plan.name !== undefined && plan.sent < plan.request.length) cutShort.add(plan.name)
      if (await leave(rig.stack.baseUrl, plan)) tally.hit++
      if (index % 500 === 499) say(`${index + 1} of ${count}, ${tally.hit} before their answer`)
    })
    rig.scriptModel(null)

    const { names } = await subject.list(project)
    for (const name of names) {
      tally.expect(!cutShort.has(name), `${name} is on the list and never arrived whole`)
    }
    await poll(() => rig.ollama.activeRequests() === 0 || rig.proxies.ollama.connections().length === 0, {
      what: 'the end of all requests to the model',
      timeoutMs: 10_000
    }).catch((error: Error) => tally.violate(error.message))
    const after = await subject.upload({ project })
    tally.expect(
      after.status === 201 && (await subject.download(after.id ?? '')).status === 200,
      `a client that stays is answered ${after.status}`
    )
  }
}

/** True if it disconnected before the complete response. */
async function leave(baseUrl: string, { request, sent, waitMs, how }: Leaving): Promise<boolean> {
  const socket: Socket = await open(baseUrl)
  let received = 0
  let ended = false
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length
    // Most of a large response stays unread.
    if (received > 100_000) socket.pause()
  })
  socket.once('end', () => {
    ended = true
  })
  socket.write(request.subarray(0, sent))
  if (how === 'half-close') socket.end()
  await sleep(waitMs)
  const early = !ended && (received === 0 || received > 100_000 || sent < request.length)
  if (how === 'reset') socket.resetAndDestroy()
  else socket.destroy()
  return early
}
