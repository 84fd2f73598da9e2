import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { StackError, codeOf, messageOf } from './errors.js'

/**
 * Below the range of ephemeral ports (32768 and up on Linux, 49152 elsewhere). Inside it, a client that keeps
 * retrying a dead server on loopback can get that very port as its own, connect to itself, and keep the
 * server from coming back.
 */
const PRIVATE_PORTS = { from: 12_000, to: 32_000 }
const ATTEMPTS = 200

/** A port for one of our services, kept over its restarts. */
export async function pickPrivatePort(taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(PRIVATE_PORTS.from, PRIVATE_PORTS.to)
    if (!taken.has(port) && (await listenProblem('127.0.0.1', port)) === null) return port
  }
  throw new StackError('No free port was found on 127.0.0.1.')
}

export async function assertPortFree(host: string, port: number, setting: string): Promise<void> {
  const problem = await listenProblem(host, port)
  if (problem === null) return
  const code = codeOf(problem)
  if (code === 'EADDRINUSE') {
    throw new StackError(
      `Port ${port} on ${host} is in use by another program: stop it, or set ${setting} to a free port.`
    )
  }
  if (code === 'EACCES') {
    throw new StackError(
      `Port ${port} needs privileges that this user lacks: set ${setting} to a port above 1023.`
    )
  }
  throw new StackError(`Cannot listen on ${host}, port ${port}: ${messageOf(problem)}.`, { cause: problem })
}

async function listenProblem(host: string, port: number): Promise<unknown> {
  const server = createServer()
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
    return null
  } catch (error) {
    return error
  } finally {
    server.close()
  }
}

/** A host as written in a URL. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
