import { execFileSync } from 'node:child_process'
import { constants } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openFile } from '../src/local/open-file.js'

t.test('a file is closed once, after its calls have ended', async (t) => {
  const path = join(t.testdir({}), 'pipe')
  execFileSync('mkfifo', [path])
  const file = await openFile(path, constants.O_RDWR)
  const buffer = Buffer.alloc(10)
  // A pipe has no position, and nothing to read yet.
  const reading = file.read(buffer, 0, 10, null as unknown as number)
  let isClosed = false
  const closing = Promise.all([file.close(), file.close()]).then(() => {
    isClosed = true
  })
  await sleep(50)

  t.equal(isClosed, false, 'the number of the file is not given away under a read')
  await t.rejects(file.read(buffer, 0, 10, 0), { message: 'the file is closed' })
  const writer = await openFile(path, constants.O_WRONLY)
  await writer.write(Buffer.from('bytes'), 0, 5)
  await writer.close()

  t.strictSame([(await reading).bytesRead, buffer.toString('utf8', 0, 5)], [5, 'bytes'])
  await closing
})

t.test('existing and missing files are reported as by Node', async (t) => {
  const path = join(t.testdir({ a: 'first' }), 'a')

  await t.rejects(openFile(path, 'wx', 0o600), { code: 'EEXIST', syscall: 'open' })
  await t.rejects(openFile(`${path}b`, 'r'), { code: 'ENOENT', syscall: 'open' })
  t.equal(await readFile(path, 'utf8'), 'first')
})
