import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { ROOT } from '../helpers/root.js'

// The first process of a container ignores every signal that it has no handler for.
const FIRST_PROCESS = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child']
const options = {
  skip:
    spawnSync('unshare', [...FIRST_PROCESS, 'true']).status !== 0 && 'no process namespaces on this machine'
}
const CLAMD = "#!/bin/sh\necho 'clamd runs'\nexec sleep 3600\n"
/** Ends at SIGTERM, like clamd, after unpacking 3 MB. */
const FILLS = `#!/bin/sh
trap 'exit 0' TERM
head -c 3000000 /dev/zero > "$CLAMAV_TEMP/unpacked"
echo 'clamd runs'
sleep 3600 & wait
`
const HANGS = "#!/bin/sh\necho 'fetch begins'\nexec sleep 3600\n"
const FAILS = "#!/bin/sh\necho 'fetch fails'\nexit 1\n"

interface Script {
  /** Waits for a line of its output. */
  prints: (line: string) => Promise<void>
  ended: Promise<unknown>
  /** Sends SIGTERM and returns whether the script ends long before the pause between two attempts is over. */
  endsAtSigterm: () => Promise<boolean>
}

/** Runs a script as the first process of a namespace, with our own programs instead of ClamAV's. */
function startScript(
  t: Test,
  name: string,
  freshclam: string,
  { database = {}, clamd = CLAMD } = {}
): Script {
  const folder = t.testdir({ bin: { freshclam, clamd }, source: {}, database, tmp: {} })
  spawnSync('chmod', ['+x', join(folder, 'bin/freshclam'), join(folder, 'bin/clamd')])
  for (const file of ['clamd.conf', 'signatures/filewright.ndb', 'signatures/filewright.cfg']) {
    cpSync(join(ROOT, 'infra/clamav', file), join(folder, 'source', file.split('/').at(-1) ?? ''))
  }
  const parent = spawn('unshare', [...FIRST_PROCESS, 'sh', join(ROOT, 'infra/clamav', name)], {
    env: {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      CLAMAV_SOURCE: join(folder, 'source'),
      CLAMAV_DATABASE: join(folder, 'database'),
      CLAMAV_TEMP: join(folder, 'tmp'),
      CLAMAV_RETRY_SECONDS: '3600',
      CLAMAV_TEMP_MAX_MB: '2',
      CLAMAV_TEMP_CHECK_SECONDS: '1'
    },
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const exit = once(parent, 'exit')
  // Only a failing test reaches this: tap's own timeout would not end the processes.
  const tooLate = sleep(30_000, { value: '', done: true }, { ref: false })
  const lines = createInterface({ input: parent.stdout })[Symbol.asyncIterator]()
  t.teardown(async () => {
    parent.kill('SIGKILL')
    await exit
  })
  return {
    ended: exit,
    prints: async (wanted) => {
      for (;;) {
        const { value, done } = await Promise.race([lines.next(), tooLate])
        if (done === true) throw new Error(`${name} ended without "${wanted}"`)
        if (value === wanted) return
      }
    },
    endsAtSigterm: async () => {
      const [child = ''] = readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8').split(' ')
      process.kill(Number(child), 'SIGTERM')
      // Generous: only a script that ignores the signal takes this long.
      return Promise.race([exit.then(() => true), sleep(20_000, false, { ref: false })])
    }
  }
}

t.test('the mirror ends at SIGTERM while it waits for the next attempt', options, async (t) => {
  const mirror = startScript(t, 'mirror.sh', FAILS)
  await mirror.prints('fetch fails')

  t.ok(await mirror.endsAtSigterm())
})

t.test('the mirror ends at SIGTERM in the middle of a fetch', options, async (t) => {
  const mirror = startScript(t, 'mirror.sh', HANGS)
  await mirror.prints('fetch begins')

  t.ok(await mirror.endsAtSigterm())
})

t.test(
  'clamd without signatures waits for the first fetch, and ends at SIGTERM meanwhile',
  options,
  async (t) => {
    const clamd = startScript(t, 'start.sh', HANGS)
    await clamd.prints('fetch begins')

    t.ok(await clamd.endsAtSigterm())
  }
)

t.test('clamd starts after a fetch that failed', options, async (t) => {
  const clamd = startScript(t, 'start.sh', FAILS)
  await clamd.prints('fetch fails')

  await clamd.prints('clamd runs')
})

t.test(
  'a clamd that was killed restarts with its existing signatures, without waiting for a fetch',
  options,
  async (t) => {
    const clamd = startScript(t, 'start.sh', HANGS, {
      database: { 'main.cvd': 'signatures', 'daily.cld': 'signatures' }
    })

    await clamd.prints('clamd runs')
  }
)

t.test('clamd exits when its unpacked files exceed the size limit', options, async (t) => {
  const clamd = startScript(t, 'start.sh', FAILS, { clamd: FILLS })
  await clamd.prints('clamd runs')

  const [code, signal] = (await clamd.ended) as [number | null, string | null]
  t.strictSame([code, signal], [0, null])
})
