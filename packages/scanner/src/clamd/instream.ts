import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { onAbort } from '@filewright/runtime'
import { cancelled } from '../cancelled.js'
import { connectClamd, unavailable, type ClamdAddress } from './clamd-address.js'
import { createIdleTimer, type IdleTimer } from './idle-timer.js'
import { readReply } from './reply-reader.js'

export interface InstreamTimeouts {
  connectMs: number
  /** No progress while sending, or between the first byte of the reply and its end. */
  idleMs: number
  /** The whole exchange, including clamd's scanning time. */
  totalMs: number
}

export interface InstreamOptions {
  address: ClamdAddress
  timeouts: InstreamTimeouts
  signal?: AbortSignal | undefined
  /** Sees each chunk before clamd does; throwing ends the exchange with that error. */
  onChunk?: (chunk: Buffer) => void
  /**
   * Runs when all bytes are sent, before clamd gets the end marker; throwing ends the exchange with that
   * error.
   */
  onEnd?: () => void
}

/** As much as a store reads at once. Each chunk is a system call and a wait for the socket. */
const CHUNK_BYTES = 256 * 1024

export const INSTREAM_COMMAND = Buffer.from('zINSTREAM\0')
/** A chunk of length 0 ends the stream. */
export const INSTREAM_END = Buffer.alloc(4)

export function chunkLength({ length }: Buffer): Buffer {
  const prefix = Buffer.alloc(4)
  prefix.writeUInt32BE(length)
  return prefix
}

/**
 * One INSTREAM exchange on its own connection. Resolves with clamd's reply only if clamd waited for the last
 * byte, sent exactly one NUL-terminated reply and closed the connection. Otherwise it rejects, and leaves
 * neither socket nor body open.
 */
export async function instream(body: Readable | Buffer, options: InstreamOptions): Promise<string> {
  const { timeouts, signal } = options
  const stream = Buffer.isBuffer(body) ? undefined : body
  const sending: Sending = { giveUp: () => {} }
  let failure: Error | undefined
  let socket: Socket | undefined

  const fail = (error: Error): void => {
    failure ??= error
    sending.giveUp(failure)
    socket?.destroy()
    stream?.destroy()
  }
  const stopListening = onAbort(signal, (reason) => fail(cancelled(reason)))
  // Stays attached: a body may still report an error after it was destroyed.
  stream?.on('error', fail)
  const total = setTimeout(
    () => fail(unavailable(`clamd gave no verdict within ${timeouts.totalMs} ms`)),
    timeouts.totalMs
  )
  const idle = createIdleTimer(timeouts.idleMs, () =>
    fail(unavailable(`no progress with clamd for ${timeouts.idleMs} ms`))
  )

  try {
    socket = await connectClamd(options.address, { timeoutMs: timeouts.connectMs, signal })
    if (failure !== undefined) throw failure as Error
    const { reply, expectReply } = readReply(socket, { timeoutMs: timeouts.idleMs, onFault: fail })
    await send(socket, body, options, { idle, sending, expectReply })
    // Silence is normal now: clamd replies when it has scanned everything. The total timeout applies.
    idle.stop()
    return await reply
  } catch (error) {
    // A failure elsewhere destroyed the streams, so this error is only its consequence.
    throw failure ?? error
  } finally {
    clearTimeout(total)
    idle.stop()
    stopListening()
    socket?.destroy()
    stream?.destroy()
  }
}

interface Sending {
  /** Ends the wait for clamd to accept more bytes. */
  giveUp: (error: Error) => void
}

interface SendControl {
  idle: IdleTimer
  sending: Sending
  expectReply: () => void
}

async function send(
  socket: Socket,
  body: Readable | Buffer,
  hooks: InstreamOptions,
  { idle, sending, expectReply }: SendControl
): Promise<void> {
  const write = async (bytes: Buffer): Promise<void> => {
    if (!socket.write(bytes)) {
      await new Promise<void>((resolve, reject) => {
        sending.giveUp = reject
        socket.once('drain', resolve)
      })
    }
    idle.touch()
  }
  const sendChunk = async (chunk: Buffer): Promise<void> => {
    hooks.onChunk?.(chunk)
    for (let start = 0; start < chunk.length; start += CHUNK_BYTES) {
      const piece = chunk.subarray(start, start + CHUNK_BYTES)
      socket.cork()
      socket.write(chunkLength(piece))
      const sent = write(piece)
      socket.uncork()
      await sent
    }
  }
  // The command and the first bytes, if available, are sent in one system call.
  socket.cork()
  process.nextTick(() => socket.uncork())
  socket.write(INSTREAM_COMMAND)
  if (Buffer.isBuffer(body)) {
    await sendChunk(body)
    // An early reply must be read before the end is sent.
    await nextTurn()
  } else {
    for await (const data of body) {
      await sendChunk(Buffer.isBuffer(data) ? data : Buffer.from(data as Uint8Array))
    }
    // A destroyed body without an error ends the loop silently; it must not count as complete.
    if (!body.readableEnded) throw unavailable('the bytes to scan ended early')
  }
  hooks.onEnd?.()
  // Before the last write: the reply may arrive before its drain event.
  expectReply()
  await write(INSTREAM_END)
}
