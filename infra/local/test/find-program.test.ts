import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import t from 'tap'
import { findProgram } from '../src/find-program.js'
import { tempFolder } from './helpers/temp-folder.js'

function program(folder: string, name: string, mode = 0o755): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), '#!/bin/sh\n')
  chmodSync(join(folder, name), mode)
  return join(folder, name)
}

t.test('finds the first name on PATH before the second', async (t) => {
  const root = tempFolder(t)
  program(join(root, 'a'), 'valkey-server')
  const redis = program(join(root, 'b'), 'redis-server')

  t.equal(
    findProgram(['redis-server', 'valkey-server'], [join(root, 'a'), join(root, 'b')].join(delimiter), []),
    redis
  )
})

t.test('searches the sbin folders that PATH lacks', async (t) => {
  const root = tempFolder(t)
  const clamd = program(join(root, 'sbin'), 'clamd')

  t.equal(findProgram(['clamd'], join(root, 'bin'), [join(root, 'sbin')]), clamd)
})

t.test(
  'skips folders and files that are not executable, and returns null when nothing is left',
  async (t) => {
    const root = tempFolder(t)
    mkdirSync(join(root, 'clamd'))
    program(root, 'redis-server', 0o644)

    t.equal(findProgram(['clamd', 'redis-server'], root, []), null)
    t.equal(findProgram(['clamd'], '', []), null)
  }
)
