import { freePort } from './free-port.js'
import { poll } from './poll.js'
import { startRedisServer, type RedisServer } from './redis-server.js'

const PRIMARIES = ['0 5460', '5461 10922', '10923 16383']
/** Short, so that a failover takes seconds; long enough for a busy machine. */
const NODE_TIMEOUT_MS = 2_000
const PATIENCE = { timeoutMs: 120_000, intervalMs: 100 }

export interface RedisCluster {
  readonly url: string
  /** Three primaries at the start, then a replica of each. */
  readonly nodes: readonly RedisServer[]
  /** The node that currently owns this key. */
  ownerOf: (key: string) => Promise<RedisServer>
  stop: () => Promise<void>
}

/** A real Redis Cluster on loopback that fails over by itself. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const members = await Promise.all(
    [...PRIMARIES, ...PRIMARIES].map(async () => {
      const busPort = await freePort()
      const settings = {
        'cluster-enabled': 'yes',
        'cluster-port': busPort,
        'cluster-node-timeout': NODE_TIMEOUT_MS
      }
      const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
      return { busPort, node: await startRedisServer({ args }) }
    })
  )
  const nodes = members.map(({ node }) => node)
  const cluster = {
    url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    ownerOf: async (key: string) => await ownerOf(nodes, key),
    stop: async () => {
      await Promise.all(nodes.map(async (node) => await node.stop()))
    }
  }
  try {
    await join(members)
    return cluster
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

async function join(members: Array<{ node: RedisServer; busPort: number }>): Promise<void> {
  const nodes = members.map(({ node }) => node)
  const [first] = nodes
  for (const [i, slots] of PRIMARIES.entries()) await nodes[i]?.command(`CLUSTER ADDSLOTSRANGE ${slots}`)
  for (const { node, busPort } of members.slice(1)) {
    await first?.command(`CLUSTER MEET 127.0.0.1 ${node.port} ${busPort}`)
  }
  await everyNode(nodes, 'CLUSTER INFO', /cluster_state:ok[^]*cluster_known_nodes:6/)
  for (const [i, replica] of nodes.slice(PRIMARIES.length).entries()) {
    const id = (await nodes[i]?.command('CLUSTER MYID'))?.split('\r\n')[1]
    // The node refuses this until it knows the primary.
    await poll(async () => (await replica.command(`CLUSTER REPLICATE ${id}`)).startsWith('+OK'), PATIENCE)
  }
  await everyNode(nodes.slice(PRIMARIES.length), 'INFO replication', /master_link_status:up/)
  // Clients learn the replicas from any node; one is listed only when its offset is known.
  for (const { port } of nodes) await everyNode(nodes, 'CLUSTER SLOTS', new RegExp(`:${port}\\b`))
}

async function everyNode(nodes: readonly RedisServer[], command: string, reply: RegExp): Promise<void> {
  for (const node of nodes) {
    await poll(async () => reply.test(await node.command(command)), {
      ...PATIENCE,
      what: `${command} ${reply}`
    })
  }
}

async function ownerOf(nodes: readonly RedisServer[], key: string): Promise<RedisServer> {
  for (const node of nodes) {
    // Others answer MOVED, and one that is down does not answer.
    const reply = await node.command(`EXISTS ${key}`).catch(() => '')
    if (reply.startsWith(':')) return node
  }
  throw new Error(`no node answers for ${key}`)
}
