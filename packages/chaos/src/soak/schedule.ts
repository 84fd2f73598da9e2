import { setTimeout as sleep } from 'node:timers/promises'
import { randomFault } from '@filewright/testing'
import type { Random } from '../harness/random.js'
import type { Rig } from '../harness/rig.js'

/** A fault, with a separate random stream for its choices. */
export interface ScheduledFault {
  afterMs: number
  name: string
  run: (rig: Rig) => Promise<void>
}

type Disturb = (rig: Rig, random: Random) => Promise<void>

const signal =
  (name: string, how: NodeJS.Signals): Disturb =>
  async (rig) => {
    const pid = rig.stack.pid(name)
    if (pid !== undefined) process.kill(pid, how)
  }

const frozen =
  (name: string): Disturb =>
  async (rig, random) => {
    const pid = rig.stack.pid(name)
    if (pid === undefined) return
    process.kill(pid, 'SIGSTOP')
    await sleep(random.between(500, 4_000))
    process.kill(pid, 'SIGCONT')
  }

const link =
  (
    dependency: 'redis' | 'postgres' | 'clamd' | 'ollama',
    how: 'cut' | 'reset' | 'freeze' | 'slow' | 'away'
  ): Disturb =>
  async (rig, random) => {
    const proxy = rig.proxies[dependency]
    if (how === 'cut') proxy.cut()
    else if (how === 'reset') proxy.reset()
    else if (how === 'freeze') {
      proxy.freeze()
      await sleep(random.between(300, 5_000))
      proxy.thaw()
    } else if (how === 'slow') {
      proxy.delay(random.between(5, 80))
      await sleep(random.between(1_000, 5_000))
      proxy.delay(0)
    } else {
      proxy.refuse(true)
      proxy.reset()
      await sleep(random.between(500, 6_000))
      proxy.refuse(false)
    }
  }

const DEPENDENCIES = ['redis', 'postgres', 'clamd', 'ollama'] as const
const HOWS = ['cut', 'reset', 'freeze', 'slow', 'away'] as const

const FAULTS: ReadonlyArray<readonly [name: string, disturb: Disturb]> = [
  ...DEPENDENCIES.flatMap((dependency) =>
    HOWS.map((how) => [`${dependency} ${how}`, link(dependency, how)] as const)
  ),
  ['gateway killed', signal('gateway', 'SIGKILL')],
  ['scan-worker-1 killed', signal('scan-worker-1', 'SIGKILL')],
  ['inference-worker-1 killed', signal('inference-worker-1', 'SIGKILL')],
  ['gateway frozen', frozen('gateway')],
  ['scan-worker-2 frozen', frozen('scan-worker-2')],
  ['inference-worker-1 frozen', frozen('inference-worker-1')],
  ['redis killed', async (rig) => await rig.redis.restart()],
  [
    'postgres crashed',
    async (rig) => {
      await rig.postgres.crash()
      await rig.postgres.start()
    }
  ],
  [
    'clamd killed',
    async (rig) => {
      await rig.clamd.kill()
      await rig.clamd.restart()
    }
  ],
  [
    'disk failing',
    async (rig, random) =>
      rig.failpoints.arm(
        random.pick(['blob.open', 'blob.write', 'blob.sync', 'blob.link']),
        random.pick(['EIO', 'ENOSPC'])
      )
  ],
  [
    'model failing',
    async (rig, random) => {
      rig.scriptModel(() => randomFault(random.next))
      await sleep(5_000)
      rig.scriptModel(null)
    }
  ]
]

/** Any fault may follow any other. The order does not depend on timing. */
export function* scheduleOf(random: Random): Generator<ScheduledFault, never> {
  for (let number = 0; ; number++) {
    const own = random.fork(number)
    const [name, disturb] = own.pick(FAULTS)
    yield {
      afterMs: own.between(1_000, 6_000),
      name,
      run: async (rig) => await disturb(rig, own)
    }
  }
}
