import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { freePort, poll, startRedisServer, type RedisServer } from '@filewright/testing'
import { inspectRedis } from '../src/index.js'
import { answer, echo, payloadOf, stackOn } from './helpers.js'

t.setTimeout(300_000)

/** A real Sentinel that monitors the primary and fails over by itself. */
async function startSentinel(primary: RedisServer): Promise<{ port: number; stop: () => Promise<void> }> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'filewright-sentinel-'))
  const config = join(folder, 'sentinel.conf')
  await writeFile(
    config,
    [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${folder}`,
      `sentinel monitor main 127.0.0.1 ${primary.port} 1`,
      'sentinel down-after-milliseconds main 1000',
      'sentinel failover-timeout main 5000'
    ].join('\n')
  )
  const child = spawn('redis-server', [config, '--sentinel'], { stdio: 'ignore' })
  return {
    port,
    stop: async () => {
      child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    }
  }
}

t.test(
  'clients and workers find the primary through Sentinel, and the next one after its death',
  async (t) => {
    const [first, second] = [await startRedisServer(), await startRedisServer()]
    await second.command(`REPLICAOF 127.0.0.1 ${first.port}`)
    await poll(async () => (await second.command('INFO replication')).includes('master_link_status:up'), {
      timeoutMs: 30_000
    })
    const sentinel = await startSentinel(first)
    t.teardown(async () => {
      await Promise.all([sentinel.stop(), first.stop(), second.stop()])
    })
    const url = `redis+sentinel://127.0.0.1:${sentinel.port}/main`
    await poll(
      async () =>
        await inspectRedis(url).then(
          () => true,
          () => false
        ),
      { timeoutMs: 30_000 }
    )
    const { client, worker } = stackOn(t, { ...first, url })
    await worker(answer)
    const queues = client()
    await poll(
      async () =>
        await queues.ping().then(
          () => true,
          () => false
        ),
      { timeoutMs: 30_000 }
    )
    const ask = async (text: string): Promise<string> =>
      (await queues.request(echo, payloadOf(text), { deadlineMs: 10_000 })).text
    t.equal(await ask('before'), 'before')

    // The Sentinel discovers replicas by asking the primary.
    await poll(async () => (await first.command('INFO replication')).includes('connected_slaves:1'), {
      timeoutMs: 30_000
    })
    await first.kill()

    await poll(async () => (await second.command('INFO replication')).includes('role:master'), {
      timeoutMs: 60_000
    })
    await poll(
      async () =>
        await ask('after').then(
          (text) => text === 'after',
          () => false
        ),
      { timeoutMs: 60_000 }
    )
  }
)
