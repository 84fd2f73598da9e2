import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { identityOf } from '../src/process-identity.js'
import { createStackFile, readStackFile } from '../src/stack-file.js'
import { STACK_FACTS as FACTS } from './helpers/stack-facts.js'
import { tempFolder } from './helpers/temp-folder.js'

t.test('contains the current addresses and pids, readable only by its owner', async (t) => {
  const path = join(tempFolder(t), 'stack.json')
  const file = createStackFile(path, FACTS)

  file.setPid('gateway', process.pid)

  t.match(readStackFile(path), {
    ...FACTS,
    pid: process.pid,
    identity: identityOf(process.pid),
    pids: { gateway: process.pid },
    identities: { gateway: String }
  })
  t.equal(statSync(path).mode & 0o777, 0o600)
})

t.test('a service that is down is absent', async (t) => {
  const path = join(tempFolder(t), 'stack.json')
  const file = createStackFile(path, FACTS)
  file.setPid('gateway', process.pid)

  file.setPid('gateway', undefined)

  t.strictSame(readStackFile(path)?.pids, {})
})

t.test('stays removed although a child ends afterwards', async (t) => {
  const path = join(tempFolder(t), 'stack.json')
  const file = createStackFile(path, FACTS)

  file.remove()
  file.setPid('gateway', undefined)

  t.equal(readStackFile(path), null)
})

t.test('a broken file counts as none', async (t) => {
  const path = join(tempFolder(t), 'stack.json')
  writeFileSync(path, '{')

  t.equal(readStackFile(path), null)
})

t.test('a later write that fails is reported, and the stack continues', async (t) => {
  const folder = join(tempFolder(t), 'run')
  mkdirSync(folder)
  const notices: string[] = []
  const file = createStackFile(join(folder, 'stack.json'), FACTS, (line) => notices.push(line))
  rmSync(folder, { recursive: true })

  file.setPid('gateway', process.pid)

  t.match(notices, [/stack\.json is out of date: ENOENT/])
})
