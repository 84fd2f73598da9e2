import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

/** Assembled at run time, so that this source is not a finding itself. */
const eicar = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join('')
)
const baselineTest = Buffer.from(
  ['<html><body>FILEWRIGHT-SCANNER-TEST', '-MARKER-7d1c0b52e84f4a0f9a</body></html>'].join('')
)

export interface ClamdBehaviour {
  /** Called with the socket as soon as the scan starts, while bytes still arrive. */
  onStart?: (socket: Socket) => void
  /** Called when all bytes have arrived. Default: an honest clamd's reply. */
  onBody?: (socket: Socket, body: Buffer) => void
  /** Never reads, so that the client's buffers fill up. */
  deaf?: boolean
}

export interface ClamdPeer {
  host: string
  port: number
  /** For scans; self-tests are answered honestly unless `selfTest` says otherwise. */
  behaviour: ClamdBehaviour
  selfTest: { eicar: string; clean: string; version: string }
  received: Buffer[]
  openSockets: () => number
  closeServer: () => Promise<void>
  /** Again on the same port after closeServer. */
  listen: () => Promise<void>
}

const honest = {
  eicar: 'stream: Test.EICAR FOUND\0',
  clean: 'stream: OK\0',
  version: 'ClamAV 1.4.6/27500/Thu Nov 12 09:00:00 2026\n'
}

/** Implements clamd's protocol over TCP, where a connection can be reset, and misbehaves as told. */
export async function startClamdPeer(): Promise<ClamdPeer> {
  const sockets = new Set<Socket>()

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.on('end', () => {
      if (fake.behaviour.deaf !== true) socket.end()
    })
    let input = Buffer.alloc(0)
    let started = false
    let done = false
    if (fake.behaviour.deaf === true) return
    socket.on('data', (data) => {
      if (done) return
      input = Buffer.concat([input, data])
      if (input.includes('VERSION')) {
        done = true
        return socket.end(fake.selfTest.version)
      }
      const parsed = parseInstream(input)
      if (parsed === null) return
      const sample = parsed.body.subarray(0, 64)
      const isBaselineTest = parsed.body.equals(baselineTest)
      const isSelfTest =
        parsed.body.equals(eicar) || isBaselineTest || sample.toString('latin1').startsWith('a clean sample')
      if (!started && !isSelfTest && parsed.body.length > 0) {
        started = true
        fake.behaviour.onStart?.(socket)
      }
      if (!parsed.whole) return
      done = true
      if (parsed.body.equals(eicar)) return socket.end(fake.selfTest.eicar)
      if (isBaselineTest) return socket.end(honest.eicar)
      if (isSelfTest) return socket.end(fake.selfTest.clean)
      fake.received.push(parsed.body)
      if (fake.behaviour.onBody !== undefined) fake.behaviour.onBody(socket, parsed.body)
      else socket.end(parsed.body.includes(eicar) ? honest.eicar : honest.clean)
    })
  })

  const fake: ClamdPeer = {
    host: '127.0.0.1',
    port: 0,
    behaviour: {},
    selfTest: { ...honest },
    received: [],
    openSockets: () => sockets.size,
    listen: async () => {
      server.listen(fake.port, fake.host)
      await once(server, 'listening')
      fake.port = (server.address() as AddressInfo).port
    },
    closeServer: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    }
  }
  await fake.listen()
  return fake
}

function parseInstream(input: Buffer): { body: Buffer; whole: boolean } | null {
  const command = Buffer.from('zINSTREAM\0')
  if (input.length < command.length || !input.subarray(0, command.length).equals(command)) return null
  const parts: Buffer[] = []
  let at = command.length
  while (at + 4 <= input.length) {
    const length = input.readUInt32BE(at)
    if (length === 0) return { body: Buffer.concat(parts), whole: true }
    parts.push(input.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return { body: Buffer.concat(parts), whole: false }
}
