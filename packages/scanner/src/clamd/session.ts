import type { Socket } from 'node:net'
import { onAbort } from '@filewright/runtime'
import { cancelled, throwIfCancelled } from '../cancelled.js'
import { unavailable } from './clamd-address.js'

export interface AskOptions {
  /** Sent after clamd had time to report an early error. */
  end?: Buffer
  timeouts: { idleMs: number; totalMs: number }
  signal?: AbortSignal | undefined
}

/** A connection over which clamd takes one command after another. */
export interface ClamdSession {
  /**
   * clamd's reply, or null if the session broke. Do not call while a call is running. @throws AppError
   * SCAN_UNAVAILABLE when it takes too long, CANCELLED on abort. The session is broken then, unless the
   * signal was already aborted.
   */
  ask: (command: readonly Buffer[], options: AskOptions) => Promise<string | null>
  isBroken: () => boolean
  destroy: () => void
  /** Whether it keeps the process alive. */
  hold: (isHeld: boolean) => void
}

interface Exchange {
  isSent: boolean
  received: string
  settle: (reply: string | null) => void
}

/** Far longer than any real reply: "1: stream: <signature> FOUND". */
const REPLY_CHARS = 4 * 1024

/**
 * clamd numbers the commands of a session, and its replies. Anything except the one expected reply, complete
 * and after the last byte was sent, breaks the session.
 */
export function createClamdSession(socket: Socket): ClamdSession {
  let asked = 0
  let exchange: Exchange | undefined
  let isBroken = false

  function breakOff(): void {
    isBroken = true
    socket.destroy()
    exchange?.settle(null)
  }

  socket.on('error', () => {})
  socket.on('close', breakOff)
  socket.on('data', (data: Buffer) => {
    if (exchange?.isSent !== true) return breakOff()
    exchange.received += data.toString('latin1')
    const { received, settle } = exchange
    const nul = received.indexOf('\0')
    if (nul === -1 && received.length <= REPLY_CHARS) return
    const number = `${asked}: `
    if (nul !== received.length - 1 || !received.startsWith(number)) return breakOff()
    settle(received.slice(number.length, nul))
  })
  socket.write('zIDSESSION\0')

  return {
    ask: async (command, { end, timeouts, signal }) => {
      throwIfCancelled(signal)
      if (isBroken) return null
      asked++
      return await new Promise<string | null>((resolve, reject) => {
        const finish = (): void => {
          exchange = undefined
          clearTimeout(idle)
          clearTimeout(total)
          stopListening()
        }
        const fail = (error: Error): void => {
          finish()
          breakOff()
          reject(error)
        }
        const current: Exchange = {
          isSent: false,
          received: '',
          settle: (reply) => {
            finish()
            resolve(reply)
          }
        }
        exchange = current
        const idle = setTimeout(
          () => fail(unavailable(`no progress with clamd for ${timeouts.idleMs} ms`)),
          timeouts.idleMs
        )
        const total = setTimeout(
          () => fail(unavailable(`clamd gave no verdict within ${timeouts.totalMs} ms`)),
          timeouts.totalMs
        )
        const stopListening = onAbort(signal, (reason) => fail(cancelled(reason)))
        const send = (bytes: readonly Buffer[], onSent?: () => void): void => {
          socket.cork()
          bytes.forEach((part, i) => socket.write(part, i === bytes.length - 1 ? onSent : undefined))
          socket.uncork()
        }
        const sendLast = (bytes: readonly Buffer[]): void => {
          current.isSent = true
          send(bytes, () => clearTimeout(idle))
        }
        if (end === undefined) return sendLast(command)
        send(command)
        setImmediate(() => {
          if (exchange === current) sendLast([end])
        })
      })
    },
    isBroken: () => isBroken,
    destroy: breakOff,
    hold: (isHeld) => {
      if (isHeld) socket.ref()
      else socket.unref()
    }
  }
}
