import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ensurePrograms, systemIds } from '../src/programs.js'
import { tempFolder } from './helpers/temp-folder.js'

const never = new AbortController().signal

function fakes(present: string[], apt: 'none' | 'works' | 'fails' | 'lies' = 'none') {
  const said: string[] = []
  const installed: string[][] = []
  const deps = {
    say: (line: string) => {
      said.push(line)
    },
    find: (names: readonly string[]) => names.find((name) => present.includes(name)) ?? null,
    apt: async () =>
      apt === 'none'
        ? null
        : {
            install: async (packages: readonly string[]) => {
              installed.push([...packages])
              if (apt === 'fails') throw new Error('E: Unable to locate package')
              if (apt === 'works') present.push('redis-server', 'clamd')
            }
          },
    system: () => ['debian']
  }
  return { deps, said, installed }
}

t.test('existing programs are found without output', async (t) => {
  const { deps, said } = fakes(['valkey-server', 'clamd'])

  t.strictSame(await ensurePrograms(['redis', 'clamd'], deps, never), {
    redis: 'valkey-server',
    clamd: 'clamd'
  })
  t.strictSame(said, [])
})

t.test('missing programs are installed together, with a message', async (t) => {
  const { deps, said, installed } = fakes([], 'works')

  t.strictSame(await ensurePrograms(['redis', 'clamd'], deps, never), {
    redis: 'redis-server',
    clamd: 'clamd'
  })
  t.strictSame(installed, [['redis-server', 'clamav-daemon']])
  t.match(said, [/^Installing redis-server and clamav-daemon with apt-get/])
})

t.test(
  'if nothing can be installed, a message names the packages for this system and the settings to use instead',
  async (t) => {
    const { deps } = fakes(['clamd'])

    await t.rejects(ensurePrograms(['redis', 'clamd'], deps, never), {
      message:
        'Filewright needs redis-server or valkey-server, which this system lacks: install with: sudo apt-get install redis-server ' +
        '(or set REDIS_URL to use one that runs elsewhere).'
    })
  }
)

t.test('other systems get their own command, and an unknown one a general hint', async (t) => {
  const { deps } = fakes([])
  const on = async (...ids: string[]) =>
    await ensurePrograms(['redis', 'clamd'], { ...deps, system: () => ids }, never)

  await t.rejects(on('rocky', 'rhel', 'fedora'), { message: /sudo dnf install valkey clamd/ })
  await t.rejects(on('darwin'), { message: /brew install redis clamav/ })
  await t.rejects(on('plan9'), { message: /install with your package manager/ })
})

t.test('a failed installation is reported with its reason', async (t) => {
  const { deps } = fakes([], 'fails')

  await t.rejects(ensurePrograms(['redis'], deps, never), {
    message: /^apt-get could not install redis-server: E: Unable to locate package\. Filewright needs/
  })
})

t.test('an installation that leaves no program is an error', async (t) => {
  const { deps } = fakes([], 'lies')

  await t.rejects(ensurePrograms(['clamd'], deps, never), { message: /^Filewright needs clamd/ })
})

t.test(
  'a system is identified by its os-release, most specific id first',
  { skip: process.platform !== 'linux' && 'only Linux has an os-release' },
  async (t) => {
    const file = join(tempFolder(t), 'os-release')
    writeFileSync(file, 'NAME="Rocky Linux"\nID="rocky"\nID_LIKE="rhel centos fedora"\n')

    t.strictSame(systemIds(file), ['rocky', 'rhel', 'centos', 'fedora'])
    t.strictSame(systemIds('/nowhere'), [])
  }
)
