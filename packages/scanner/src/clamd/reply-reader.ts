import type { Socket } from 'node:net'
import { unavailable } from './clamd-address.js'

/** Far longer than any real reply: "stream: <signature> FOUND". */
const REPLY_BYTES = 4 * 1024
const NUL = 0

export interface ReplyReader {
  /** clamd's one reply, without its final NUL, once it has closed the connection. */
  reply: Promise<string>
  /** From here on a reply is expected; before, clamd can only be refusing. */
  expectReply: () => void
}

export interface ReplyReaderOptions {
  /** Maximum time from the first byte of the reply to its end. */
  timeoutMs: number
  onFault: (error: Error) => void
}

/** Accepts exactly one complete reply and then the end of the connection; anything else is an error. */
export function readReply(socket: Socket, { timeoutMs, onFault }: ReplyReaderOptions): ReplyReader {
  let received = Buffer.alloc(0)
  let expected = false
  let settled = false
  let dripping: NodeJS.Timeout | undefined

  const reply = new Promise<string>((resolve, reject) => {
    const settle = (): boolean => {
      if (settled) return false
      settled = true
      clearTimeout(dripping)
      return true
    }
    const fault = (reason: string, cause?: unknown): void => {
      if (!settle()) return
      const said = received.length === 0 ? '' : `: ${JSON.stringify(received.toString('latin1', 0, 200))}`
      const error = unavailable(`${reason}${said}`, cause)
      onFault(error)
      reject(error)
    }
    socket.on('data', (data: Buffer) => {
      // Once it starts it must finish: a reply that trickles is an error.
      dripping ??= setTimeout(() => fault(`clamd did not finish its reply within ${timeoutMs} ms`), timeoutMs)
      received = Buffer.concat([received, data])
      if (!expected) fault('clamd answered before all bytes were sent')
      else if (received.length > REPLY_BYTES) fault('clamd sent too long a reply')
    })
    socket.on('end', () => {
      if (!expected || received.length === 0) return fault('clamd closed the connection without a reply')
      if (received.indexOf(NUL) !== received.length - 1) return fault('clamd sent no single whole reply')
      if (settle()) resolve(received.toString('latin1', 0, received.length - 1))
    })
    socket.on('error', (error) => fault(`the connection to clamd broke: ${error.message}`, error))
    socket.on('close', () => fault('the connection to clamd closed'))
  })
  // A sender that is still busy learns of the error through onFault.
  reply.catch(() => {})
  return {
    reply,
    expectReply: () => {
      expected = true
    }
  }
}
