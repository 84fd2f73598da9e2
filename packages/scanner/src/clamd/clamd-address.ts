import { connect, type Socket } from 'node:net'
import { AppError, onAbort, setting } from '@filewright/runtime'
import { cancelled, throwIfCancelled } from '../cancelled.js'

export const clamdConfig = {
  CLAMD_SOCKET: setting.optional('Unix socket of clamd; wins over CLAMD_HOST', { minLength: 1 }),
  CLAMD_HOST: setting.optional('Host of clamd when it listens on TCP', { minLength: 1 }),
  CLAMD_PORT: setting.integer(3310, [1, 65_535], 'Port of clamd when it listens on TCP'),
  CLAMD_DATABASE_DIR: setting.optional(
    "clamd's signature folder, if the worker can read it: your own signatures then count as a new version, too, and stored files are rescanned",
    { minLength: 1 }
  ),
  CLAMD_SETTLE_MS: setting.integer(
    660_000,
    [1],
    'How long a change of that folder must last before it counts; longer than SelfCheck in clamd.conf'
  )
}

export type ClamdAddress = { path: string } | { host: string; port: number }

export interface ClamdAddressOptions {
  socketPath?: string | undefined
  host?: string | undefined
  port?: number | undefined
}

export function clamdAddress({ socketPath, host, port = 3310 }: ClamdAddressOptions): ClamdAddress {
  if (socketPath !== undefined) return { path: socketPath }
  if (host !== undefined) return { host, port }
  throw new AppError('CONFIG_INVALID', 'Invalid configuration: CLAMD_SOCKET or CLAMD_HOST is required')
}

export function unavailable(reason: string, cause?: unknown): AppError {
  return new AppError('SCAN_UNAVAILABLE', reason, {
    retryable: true,
    ...(cause === undefined ? {} : { cause })
  })
}

export interface ConnectOptions {
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/** A connected socket, or an error with nothing left open. The caller must destroy the socket. */
export async function connectClamd(
  address: ClamdAddress,
  { timeoutMs, signal }: ConnectOptions
): Promise<Socket> {
  throwIfCancelled(signal)
  // Over TCP the end of a stream would wait about 40 ms for the acknowledgement of the previous data.
  const socket = connect(address).setNoDelay()
  return await new Promise<Socket>((resolve, reject) => {
    const fail = (error: Error): void => {
      settle()
      socket.on('error', () => {})
      socket.destroy()
      reject(error)
    }
    const timer = setTimeout(
      () => fail(unavailable(`clamd accepted no connection within ${timeoutMs} ms`)),
      timeoutMs
    )
    const onError = (error: Error): void =>
      fail(unavailable(`cannot connect to clamd: ${error.message}`, error))
    const settle = (): void => {
      clearTimeout(timer)
      stopListening()
      socket.off('error', onError)
    }
    const stopListening = onAbort(signal, (reason) => fail(cancelled(reason)))
    socket.once('error', onError)
    socket.once('connect', () => {
      settle()
      resolve(socket)
    })
  })
}
