import type { Socket } from 'node:net'

/**
 * Calls back when the client has sent no byte for one to two times that long, because it only checks at that
 * interval, and again at each interval after that. @returns a function that stops it.
 */
export function onSilence(socket: Socket, ms: number, callback: () => void): () => void {
  let { bytesRead } = socket
  const timer = setInterval(() => {
    const isSilent = socket.bytesRead === bytesRead
    ;({ bytesRead } = socket)
    if (isSilent) callback()
  }, ms).unref()
  return () => clearInterval(timer)
}
