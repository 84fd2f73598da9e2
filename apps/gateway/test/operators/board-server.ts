import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { createLogger, startProbeServer } from '@filewright/runtime'
import { createLoginGuard } from '../../src/modules/limits/login-guard.js'
import { createQueueBoard, type QueueBoardOptions } from '../../src/operators/queue-board.js'

export const password = 'correct horse'
export const asAdmin = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`

type BoardServerOptions = Partial<QueueBoardOptions> & Pick<QueueBoardOptions, 'redisUrl'>

/** The operators' port of a gateway, with the dashboard on it. */
export async function startBoardServer(t: Test, options: BoardServerOptions): Promise<number> {
  const logger = createLogger({ name: 'test', level: 'silent' })
  const standard = { prefix: 'board', password, write: false, guard: createLoginGuard(0), logger }
  const board = createQueueBoard({ ...standard, ...options })
  const server = await startProbeServer({
    host: '127.0.0.1',
    port: 0,
    health: { report: () => ({ status: 'ok', checks: {} }) },
    handle: board.handle
  })
  t.teardown(async () => {
    await server.close()
    await board.close()
  })
  return server.port
}

export interface RawAnswer {
  status: number
  text: string
}

/** One raw request, byte for byte, without a client that would normalize its target. */
export async function sendRaw(port: number, head: string, body = ''): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const answer = text(socket)
  const lines = [head, 'Connection: close', `Content-Length: ${Buffer.byteLength(body)}`, '', body]
  socket.write(Buffer.from(lines.join('\r\n'), 'latin1'))
  const received = await answer
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0), text: received }
}
