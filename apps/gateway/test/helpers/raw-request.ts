import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Test } from 'tap'
import type { TestGateway } from './test-gateway.js'

/** A connection for raw bytes that no HTTP client would send. Also makes the gateway listen. */
export async function connectTo(t: Test, { app }: Pick<TestGateway, 'app'>): Promise<Socket> {
  if (!app.server.listening) await app.listen({ port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port)
  t.teardown(() => {
    socket.destroy()
  })
  await once(socket, 'connect')
  return socket
}

/** The head of a POST, with its empty line. */
export function headOf(path: string, token: string, headers: Record<string, string | number>): string {
  const sent = { Host: 'x', Authorization: `Bearer ${token}`, ...headers }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`)
  return [`POST ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}
