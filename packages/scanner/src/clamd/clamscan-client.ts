import type { Socket } from 'node:net'
import NodeClam from 'clamscan'
import { withDeadline } from '@filewright/runtime'
import { cancelled, throwIfCancelled } from '../cancelled.js'
import { connectClamd, unavailable, type ClamdAddress } from './clamd-address.js'
import { parseVersion, type ClamdVersion } from './reply.js'

export interface ClamscanClientOptions {
  address: ClamdAddress
  /** Limits the whole call. */
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/** A VERSION reply has about 60 bytes; clamscan itself would collect anything. */
const REPLY_BYTES = 4 * 1024

/**
 * Asks clamd for its version through clamscan. The package has no timeout and does not notice a broken
 * connection, so every socket it uses is created, watched and destroyed here.
 */
export async function clamdVersion({
  address,
  timeoutMs,
  signal
}: ClamscanClientOptions): Promise<ClamdVersion> {
  throwIfCancelled(signal)
  const sockets: Socket[] = []

  const client = new NodeClam()
  await client.init({
    preference: 'clamdscan',
    clamscan: { active: false, path: null },
    clamdscan: {
      ...('path' in address
        ? { socket: address.path, host: false, port: false }
        : { socket: false, ...address }),
      timeout: timeoutMs,
      // Never a local binary: its verdict would come from another database.
      localFallback: false,
      path: null,
      bypassTest: true
    }
  })

  async function ask(waiting: AbortSignal): Promise<string> {
    const faulted = new Promise<never>((_resolve, reject) => {
      client._initSocket = async () => {
        const socket = await connectClamd(address, { timeoutMs, signal: waiting })
        sockets.push(socket)
        let received = 0
        socket.on('data', (data: Buffer) => {
          received += data.length
          if (received > REPLY_BYTES) reject(unavailable('clamd sent too long a version'))
        })
        socket.on('error', (error) =>
          reject(unavailable(`the connection to clamd broke: ${error.message}`, error))
        )
        return socket
      }
    })
    return await Promise.race([client.getVersion(), faulted])
  }

  const late = (): Error => unavailable(`clamd did not tell its version within ${timeoutMs} ms`)
  try {
    return parseVersion(await withDeadline(ask, { ms: timeoutMs, signal, late }))
  } catch (error) {
    throw signal?.aborted === true ? cancelled(signal.reason) : error
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}
