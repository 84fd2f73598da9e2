import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { lastLogLine } from '../src/log-file.js'
import { tempFolder } from './helpers/temp-folder.js'

t.test('the final message of a plain log is its last line', async (t) => {
  const path = join(tempFolder(t), 'a.log')
  writeFileSync(path, `${'x'.repeat(20_000)}\nfirst\nFatal: no space left\n\n`)

  t.equal(lastLogLine(path), 'Fatal: no space left')
})

t.test('the final message of an app is its last error with the cause', async (t) => {
  const path = join(tempFolder(t), 'a.log')
  const lines = [
    { level: 30, msg: 'starting' },
    { level: 60, msg: 'cannot start', err: { message: 'ECONNREFUSED' } },
    { level: 30, msg: 'stopped' }
  ]
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'))

  t.equal(lastLogLine(path), 'cannot start: ECONNREFUSED')
})

t.test(
  'the final message of an app without errors is its last line; an empty or missing log has none',
  async (t) => {
    const folder = tempFolder(t)
    const path = join(folder, 'a.log')
    t.equal(lastLogLine(path), null)
    writeFileSync(path, '')
    t.equal(lastLogLine(path), null)
    writeFileSync(path, '{"level":30,"msg":"a"}\n{"level":30,"msg":"b"}\n')
    t.equal(lastLogLine(path), 'b')
  }
)
