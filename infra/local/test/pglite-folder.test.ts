import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { createServer } from 'node:net'
import t from 'tap'
import { ensurePgliteFolder } from '../src/pglite-folder.js'
import { tempFolder } from './helpers/temp-folder.js'

const initialize = async (folder: string): Promise<void> => {
  mkdirSync(folder)
  writeFileSync(join(folder, 'PG_VERSION'), 'made')
}
const unwanted = async (): Promise<void> => {
  throw new Error('must not be called')
}

t.test('the first cluster is created and kept as the template of the next', async (t) => {
  const root = tempFolder(t)
  const template = join(root, 'cache', 'template')

  await ensurePgliteFolder({ dataDir: join(root, 'one'), template, initialize })
  await ensurePgliteFolder({ dataDir: join(root, 'two'), template, initialize: unwanted })

  t.equal(readFileSync(join(root, 'two', 'PG_VERSION'), 'utf8'), 'made')
})

t.test('an existing cluster is not touched', async (t) => {
  const root = tempFolder(t)
  mkdirSync(join(root, 'data'))

  await t.resolves(
    ensurePgliteFolder({
      dataDir: join(root, 'data'),
      template: join(root, 'template'),
      initialize: unwanted
    })
  )
})

t.test('an incomplete cluster of a killed start is removed', async (t) => {
  const root = tempFolder(t)
  mkdirSync(join(root, 'data.new'))
  writeFileSync(join(root, 'data.new', 'half'), '')

  await ensurePgliteFolder({ dataDir: join(root, 'data'), template: join(root, 'template'), initialize })

  t.notOk(existsSync(join(root, 'data', 'half')))
  t.ok(existsSync(join(root, 'data', 'PG_VERSION')))
})

t.test('a template that cannot be stored does no harm', async (t) => {
  const root = tempFolder(t)
  writeFileSync(join(root, 'file'), '')

  await ensurePgliteFolder({
    dataDir: join(root, 'data'),
    template: join(root, 'file', 'template'),
    initialize
  })

  t.ok(existsSync(join(root, 'data', 'PG_VERSION')))
})

t.test('a template that cannot be copied does no harm either', async (t) => {
  const root = tempFolder(t)
  mkdirSync(join(root, 'template'))
  // Copying it fails for every user, root too.
  const server = createServer().listen(join(root, 'template', 'socket'))
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
  })

  await ensurePgliteFolder({ dataDir: join(root, 'data'), template: join(root, 'template'), initialize })

  t.ok(existsSync(join(root, 'data', 'PG_VERSION')))
})
