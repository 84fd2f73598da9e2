import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** Sends bytes to clamd over one connection and returns its reply. */
export async function instream(socketPath: string, chunks: Iterable<Buffer>): Promise<string> {
  const socket = connect(socketPath)
  const reply = text(socket)
  socket.write('zINSTREAM\0')
  for (const chunk of chunks) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(chunk.length)
    socket.write(length)
    if (!socket.write(chunk)) await once(socket, 'drain')
  }
  socket.write(Buffer.alloc(4))
  return await reply
}
