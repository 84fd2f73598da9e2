import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'

export interface SlowClamd {
  port: number
  close: () => void
}

/**
 * The marks by which a self-test recognizes a working scanner; in halves, so that no scanner reports this
 * source.
 */
const KNOWN = ['EICAR-STANDARD-ANTI' + 'VIRUS-TEST-FILE', 'FILEWRIGHT-SCANNER' + '-TEST-MARKER']

/**
 * Implements the part of clamd's protocol that scan workers use, and takes a fixed time per file, whatever
 * the machine's load.
 */
export async function startSlowClamd(scanMs: number): Promise<SlowClamd> {
  const server = createServer((socket) => {
    let input = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      input = Buffer.concat([input, data])
      if (input.includes('PING')) return socket.end('PONG\0')
      if (input.includes('VERSION')) return socket.end('ClamAV 1.4.6/27500/Thu Nov 12 09:00:00 2026\n')
      // A chunk of length 0 ends the file. The files here are small and contain no zeros.
      if (!input.subarray(-4).equals(Buffer.alloc(4))) return
      const text = input.toString('latin1')
      if (KNOWN.some((mark) => text.includes(mark))) return socket.end('stream: Test.Known FOUND\0')
      setTimeout(() => socket.end('stream: OK\0'), scanMs)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close()
    }
  }
}
