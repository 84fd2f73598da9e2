import { once } from 'node:events'
import {
  createServer,
  connect,
  type AddressInfo,
  type NetConnectOpts,
  type Server,
  type Socket
} from 'node:net'
import { setTimeout as sleep, setImmediate as nextTurn } from 'node:timers/promises'

/** Faults for one connection, or for all of them at once. */
export interface Chaos {
  /** Delays every chunk by this long; 0 ends it. */
  delay: (ms: number) => void
  /** Bytes stop flowing both ways, connections stay open. Nothing is lost: they continue after `thaw`. */
  freeze: () => void
  thaw: () => void
  /** Splits chunks into pieces of at most this many bytes; null ends it. */
  slice: (bytes: number | null) => void
  /** FIN to both sides. Returns how many connections it hit. */
  cut: () => number
  /** RST to both sides. Returns how many connections it hit. */
  reset: () => number
}

export interface ProxyConnection extends Chaos {
  readonly id: number
  isOpen: () => boolean
}

export interface ChaosProxy extends Chaos {
  readonly host: string
  /** 0 when it listens on a socket path. */
  readonly port: number
  openConnections: () => number
  connections: () => ProxyConnection[]
  /** How many connections were ever accepted. */
  accepted: () => number
  /** While true, new connections are reset at once. */
  refuse: (on: boolean) => void
  close: () => Promise<void>
}

export interface ChaosProxyOptions {
  /** Where the bytes go: `{ host, port }` or `{ path }`. */
  target: NetConnectOpts
  /** A socket path to listen on instead of a free loopback port. */
  path?: string
}

interface Settings {
  delayMs: number
  sliceBytes: number | null
  frozen: boolean
}

const HOST = '127.0.0.1'

/** A TCP proxy that misbehaves on demand. Settings on the proxy also apply to new connections. */
export async function startChaosProxy({ target, path }: ChaosProxyOptions): Promise<ChaosProxy> {
  const settings: Settings = { delayMs: 0, sliceBytes: null, frozen: false }
  const open = new Map<number, ProxyConnection>()
  let accepted = 0
  let refusing = false

  const server: Server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (refusing) {
      client.on('error', () => {})
      client.resetAndDestroy()
      return
    }
    const id = ++accepted
    open.set(id, createConnection({ id, client, target, settings, onClose: () => open.delete(id) }))
  })
  server.listen(path === undefined ? { host: HOST, port: 0 } : { path })
  await once(server, 'listening')

  const each = (act: (connection: ProxyConnection) => unknown): number => {
    const hit = [...open.values()]
    for (const connection of hit) act(connection)
    return hit.length
  }

  return {
    host: HOST,
    port: path === undefined ? (server.address() as AddressInfo).port : 0,
    openConnections: () => open.size,
    connections: () => [...open.values()],
    accepted: () => accepted,
    refuse: (on) => {
      refusing = on
    },
    delay: (ms) => {
      settings.delayMs = ms
      each((connection) => connection.delay(ms))
    },
    slice: (bytes) => {
      settings.sliceBytes = bytes
      each((connection) => connection.slice(bytes))
    },
    freeze: () => {
      settings.frozen = true
      each((connection) => connection.freeze())
    },
    thaw: () => {
      settings.frozen = false
      each((connection) => connection.thaw())
    },
    cut: () => each((connection) => connection.cut()),
    reset: () => each((connection) => connection.reset()),
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      each((connection) => connection.reset())
      await closed
    }
  }
}

interface ConnectionDeps {
  id: number
  client: Socket
  target: NetConnectOpts
  settings: Settings
  onClose: () => void
}

function createConnection({ id, client, target, settings, onClose }: ConnectionDeps): ProxyConnection {
  const own: Settings = { ...settings }
  const upstream = connect({ ...target, allowHalfOpen: true, noDelay: true } as NetConnectOpts)
  const thawed = createGate(own.frozen)
  let sides = 2

  async function pump(from: Socket, to: Socket): Promise<void> {
    // A plain `for await` would destroy the socket at its end, including the half that still writes.
    for await (const chunk of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (own.delayMs > 0) await sleep(own.delayMs)
      for (let start = 0; start < chunk.length; ) {
        await thawed.passed()
        const end = own.sliceBytes === null ? chunk.length : start + own.sliceBytes
        if (!to.write(chunk.subarray(start, end))) await drained(to)
        start = end
        // An event-loop turn between pieces, so that they are sent as separate segments.
        if (own.sliceBytes !== null) await nextTurn()
      }
    }
    await thawed.passed()
    to.end()
  }

  for (const [from, to] of [
    [client, upstream],
    [upstream, client]
  ] as const) {
    from.once('close', () => {
      // A broken side closes the other; one that ended cleanly lets it finish.
      if (!from.readableEnded || !from.writableFinished) to.destroy()
      if (--sides === 0) {
        thawed.open()
        onClose()
      }
    })
    from.on('error', () => {})
    pump(from, to).catch(() => {
      to.destroy()
    })
  }

  return {
    id,
    isOpen: () => sides > 0,
    delay: (ms) => {
      own.delayMs = ms
    },
    slice: (bytes) => {
      own.sliceBytes = bytes
    },
    freeze: () => thawed.shut(),
    thaw: () => thawed.open(),
    cut: () => {
      for (const side of [client, upstream]) side.destroy()
      return 1
    },
    reset: () => {
      for (const side of [client, upstream]) resetOrDestroy(side)
      return 1
    }
  }
}

/**
 * A Unix socket has no reset; and libuv does not reset one that is shutting down, whose handle Node then
 * keeps forever.
 */
function resetOrDestroy(socket: Socket): void {
  if (socket.writableEnded || socket.remoteFamily === undefined) socket.destroy()
  else socket.resetAndDestroy()
}

/** Resolves on drain, and also on close: a writer must not wait forever on a closed socket. */
async function drained(socket: Socket): Promise<void> {
  if (socket.destroyed) return
  await new Promise<void>((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.on('drain', done).on('close', done)
  })
}

function createGate(shutAtFirst: boolean): {
  passed: () => Promise<void>
  shut: () => void
  open: () => void
} {
  let waiting: PromiseWithOpen | undefined = shutAtFirst ? promiseWithOpen() : undefined
  return {
    passed: async () => await waiting?.promise,
    shut: () => {
      waiting ??= promiseWithOpen()
    },
    open: () => {
      waiting?.open()
      waiting = undefined
    }
  }
}

interface PromiseWithOpen {
  promise: Promise<void>
  open: () => void
}

function promiseWithOpen(): PromiseWithOpen {
  let open = (): void => {}
  const promise = new Promise<void>((resolve) => {
    open = resolve
  })
  return { promise, open }
}
