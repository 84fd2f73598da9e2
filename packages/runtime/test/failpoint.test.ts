import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { failpoint } from '../src/index.js'

t.test('a failpoint does nothing unless it is armed', async (t) => {
  delete process.env['FAILPOINTS']
  t.doesNotThrow(() => failpoint('a'))

  process.env['FAILPOINTS'] = t.testdir({})
  t.teardown(() => {
    delete process.env['FAILPOINTS']
  })
  t.doesNotThrow(() => failpoint('a'))
})

t.test('an armed failpoint acts once for each line, and removes the line', async (t) => {
  const folder = t.testdir({ a: 'EIO\nENOSPC' })
  process.env['FAILPOINTS'] = folder
  t.teardown(() => {
    delete process.env['FAILPOINTS']
  })

  t.throws(() => failpoint('a'), { code: 'EIO' })
  t.doesNotThrow(() => failpoint('b'))
  t.throws(() => failpoint('a'), { code: 'ENOSPC' })
  t.notOk(existsSync(join(folder, 'a')))
  t.doesNotThrow(() => failpoint('a'))
})

t.test('a process dies immediately', async (t) => {
  const folder = t.testdir({})
  writeFileSync(join(folder, 'a'), 'kill')
  const script = `import { failpoint } from ${JSON.stringify(new URL('../src/index.js', import.meta.url).href)}; failpoint('a'); console.log('alive')`

  const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, FAILPOINTS: folder },
    encoding: 'utf8'
  })

  t.equal(signal, 'SIGKILL')
  t.equal(stdout, '')
})
