import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { startCell } from '../harness/cell.js'
import type { Random } from '../harness/random.js'
import type { Row } from '../harness/row.js'
import { quantile } from '../harness/table.js'
import { open } from '../hostile/raw.js'

/**
 * The timeout for an incoming request, and for a silent reader. Node checks for slow requests every 5 s, and
 * gives a silent reader twice the time.
 */
const REQUEST_MS = 5_000
const CUT_WITHIN_MS = REQUEST_MS + 55_000
/** Far above the system's buffers for a client that does not read, about 4 MB. */
const TRICKLE_MS = 1_000
const LARGE_BYTES = 12_000_000
/** Requests of others that are measured, before and during. */
const SAMPLES = 300
const MAX_SLOWDOWN = 2

type Kind = 'headers' | 'body' | 'reader'

interface SlowClient {
  kind: Kind
  socket: Socket
  cutMs: Promise<number | null>
}

/**
 * Watches the service's side of our connections. A client that does not read does not see the end of its
 * connection, so the operating system is asked for all of them. Compares both ports, because a connection to
 * another server may have the same local port.
 */
function watchPorts(servicePort: number): {
  onceGone: (port: number, callback: () => void) => void
  stop: () => void
} {
  const waiting = new Map<number, () => void>()
  async function look(): Promise<void> {
    const table = (await readFile('/proc/net/tcp', 'utf8'))
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
    const portOf = (address: string | undefined): number => Number.parseInt(address?.split(':')[1] ?? '', 16)
    const standing = new Set(
      table
        .filter(([, local, , state]) => state === '01' && portOf(local) === servicePort)
        .map(([, , remote]) => portOf(remote))
    )
    for (const [port, callback] of waiting) {
      if (standing.has(port)) continue
      waiting.delete(port)
      callback()
    }
  }
  const timer = setInterval(() => {
    void look()
  }, 2_000)
  return {
    onceGone: (port, callback) => {
      waiting.set(port, callback)
    },
    stop: () => clearInterval(timer)
  }
}

async function startSlowly(
  kind: Kind,
  baseUrl: string,
  token: string,
  largeId: string,
  ports: ReturnType<typeof watchPorts>
): Promise<SlowClient> {
  const socket = await open(baseUrl)
  const startedAt = performance.now()
  const cutMs = new Promise<number | null>((resolve) => {
    const giveUp = setTimeout(() => resolve(null), CUT_WITHIN_MS)
    const ended = (): void => {
      clearTimeout(giveUp)
      resolve(performance.now() - startedAt)
    }
    if (kind === 'reader') ports.onceGone(socket.localPort ?? 0, ended)
    socket.once('close', ended)
  })
  if (kind !== 'reader') socket.resume()
  const authorization = `Authorization: Bearer ${token}`
  const trickle = (text: string): void => {
    const timer = setInterval(() => socket.write(text), TRICKLE_MS)
    socket.once('close', () => clearInterval(timer))
  }
  if (kind === 'headers') {
    socket.write('GET /api/files?project_id=a HTTP/1.1\r\nHost: x\r\n')
    trickle('X: y\r\n')
  } else if (kind === 'body') {
    socket.write(
      `POST /api/files/upload HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n--b\r\n`
    )
    trickle('C')
  } else {
    socket.pause()
    socket.write(`GET /cdn/files/${largeId} HTTP/1.1\r\nHost: x\r\n\r\n`)
  }
  return { kind, socket, cutMs }
}

export const slowClients: Row = {
  name: 'slow headers, slow bodies, slow readers',
  promises: ['P7', 'P8'],
  target: `2,000 sockets, all cut; p99 of others under ${MAX_SLOWDOWN}×`,
  counts: { quick: 60, full: 2_000 },
  run: async ({ rig, tally, after, count, random, profile, say }) => {
    const cell = await startCell(rig, {
      apps: ['gateway', 'scan-worker'],
      env: { UPLOAD_TIMEOUT_MS: String(REQUEST_MS), IDLE_TIMEOUT_MS: String(REQUEST_MS) }
    })
    const ports = watchPorts(Number(new URL(cell.baseUrl).port))
    after(cell.stop)
    after(ports.stop)
    await cell.ready()
    const subject = cell.subject({ onFault: tally.violate })
    const { id = '' } = await subject.upload({ project: 'slow-clients', sizeBytes: LARGE_BYTES })
    const small = await subject.upload({ project: 'slow-clients' })

    /** The p99 of ordinary requests, two at a time. */
    async function p99(): Promise<number> {
      const times: number[] = []
      await Promise.all(
        [0, 1].map(async () => {
          while (times.length < SAMPLES) {
            const { status, ms } = await subject.info(small.id ?? '')
            tally.operations++
            tally.expect(status === 200, `an ordinary request was answered ${status}`)
            times.push(ms)
          }
        })
      )
      return quantile(times, 0.99)
    }

    await p99()
    const before = await p99()
    const clients: SlowClient[] = []
    for (let index = 0; index < count; index++) {
      tally.injected++
      clients.push(await startSlowly(kindOf(random), cell.baseUrl, rig.stack.token, id, ports))
    }
    // The best of three: the cost of slow clients is constant, but other load is temporary.
    const during = Math.min(await p99(), await p99(), await p99())
    const cut = await Promise.all(clients.map(async ({ kind, cutMs }) => ({ kind, ms: await cutMs })))
    const later = await p99()
    for (const kind of ['headers', 'body', 'reader'] as const) {
      const all = cut.filter((each) => each.kind === kind)
      const missed = all.filter(({ ms }) => ms === null)
      tally.hit += all.length - missed.length
      tally.expect(missed.length === 0, `${missed.length} of ${all.length} slow (${kind}) were not cut`)
      say(`${kind}: ${all.length - missed.length} of ${all.length} cut`)
    }
    for (const { ms } of cut) if (ms !== null) tally.recoveryMs.push(ms)
    // The slower of the two quiet measurements, because the machine may be busy.
    const quiet = Math.max(before, later)
    say(
      `p99 of others ${before.toFixed(1)} ms before, ${during.toFixed(1)} ms during, ${later.toFixed(1)} ms after`
    )
    // The quick profile runs beside other tests, so its times are meaningless.
    if (profile === 'full') {
      tally.expect(
        during < quiet * MAX_SLOWDOWN,
        `others' p99 went from ${quiet.toFixed(1)} to ${during.toFixed(1)} ms`
      )
    }
    tally.expect(cell.app('gateway')?.isRunning() === true, 'the gateway was restarted')
    for (const { socket } of clients) socket.destroy()
  }
}

function kindOf(random: Random): Kind {
  return random.pick<Kind>(['headers', 'headers', 'body', 'body', 'reader'])
}
