import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { inFlight } from '@filewright/acceptance'
import { poll, startClamdPeer } from '@filewright/testing'
import { startCell } from '../harness/cell.js'
import type { Row } from '../harness/row.js'

type Reply = (socket: Socket) => void

async function drip(socket: Socket, text: string): Promise<void> {
  for (const char of text) {
    if (socket.destroyed) return
    socket.write(char)
    await sleep(1_000)
  }
  socket.end()
}

/** None of these is a verdict. */
const REPLIES: Record<string, Reply> = {
  nothing: () => {},
  fin: (socket) => {
    socket.end()
  },
  rst: (socket) => {
    socket.resetAndDestroy()
  },
  cut: (socket) => {
    socket.end('stream: O')
  },
  'no end': (socket) => {
    socket.end('stream: OK')
  },
  garbage: (socket) => {
    socket.end(Buffer.from('00ff17c0ffee0041', 'hex'))
  },
  'another sentence': (socket) => {
    socket.end('stream: size limit exceeded. ERROR\0')
  },
  '1 byte/s': (socket) => {
    void drip(socket, 'stream: OK\0')
  },
  'two replies': (socket) => {
    socket.end('stream: OK\0stream: OK\0')
  },
  'two minds': (socket) => {
    socket.end('stream: OK\0stream: Eicar FOUND\0')
  }
}

/** The margin for a busy machine; a hang is far longer. */
const MARGIN_MS = 20_000
const DEADLINE_MS = { quick: 5_000, full: 10_000 }

export const clamdReplies: Row = {
  name: 'clamd answers nothing, FIN, RST, cut, garbage, 1 byte/s, two replies',
  promises: ['P2', 'P3', 'P7', 'P8'],
  target: '500 replies, no verdict, 0 fail-open, 0 sockets left',
  counts: { quick: 20, full: 500 },
  run: async ({ rig, tally, after, count, profile, random, history }) => {
    const deadlineMs = DEADLINE_MS[profile]
    const peer = await startClamdPeer()
    const kinds = Object.keys(REPLIES)
    const played = new Map<string, number>()
    peer.behaviour.onBody = (socket, body) => {
      const kind = /^reply: ([^\n]+)\n/.exec(body.toString('latin1', 0, 100))?.[1] ?? ''
      played.set(kind, (played.get(kind) ?? 0) + 1)
      tally.hit++
      REPLIES[kind]?.(socket)
    }
    rig.pointClamdAt(peer.port)
    const cell = await startCell(rig, {
      apps: ['gateway', 'scan-worker'],
      env: { SCAN_DEADLINE_MS: String(deadlineMs), SCAN_CONCURRENCY: '64' }
    })
    after(peer.closeServer)
    after(cell.stop)
    await cell.ready()
    const subject = cell.subject({ history, onFault: tally.violate })
    await inFlight(count, 48, async (number) => {
      const kind = number < kinds.length ? kinds[number] : random.fork(number).pick(kinds)
      tally.injected++
      const { status, name, ms } = await subject.upload({
        project: 'clamd-replies',
        content: Buffer.from(`reply: ${kind ?? ''}\n${number} of ${random.fork(number).next()}\n`)
      })
      tally.operations++
      tally.expect(status === 503, `${name}: ${kind ?? ''} was answered ${status}`)
      tally.expect(ms < deadlineMs + MARGIN_MS, `${name}: ${kind ?? ''} took ${Math.round(ms)} ms`)
    })
    tally.expect(
      kinds.every((kind) => played.has(kind)),
      'not every reply was played'
    )
    await poll(() => peer.openSockets() === 0, {
      what: 'the end of all connections to clamd',
      timeoutMs: 30_000
    }).catch(() => tally.violate(`${peer.openSockets()} sockets to clamd left`))
  }
}
