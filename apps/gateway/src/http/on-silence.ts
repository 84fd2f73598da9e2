import type { Socket } from 'node:net'

/**
 * Calls back when no byte has come from the client for one to two times that long, and again each time that
 * long after it: it is only looked now and then.
 * @returns how to stop.
 */
export function onSilence(socket: Socket, ms: number, callback: () => void): () => void {
  let { bytesRead } = socket
  const timer = setInterval(() => {
    const isSilent = socket.bytesRead === bytesRead
    ;({ bytesRead } = socket)
    if (isSilent) callback()
  }, ms).unref()
  return () => {
    clearInterval(timer)
  }
}
