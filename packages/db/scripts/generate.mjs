// Generates the Prisma client when the schema, or Prisma itself, is newer than the client.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const root = new URL('..', import.meta.url)
const prisma = require.resolve('prisma/package.json')
const stamp = new URL('src/generated/.stamp', root)

const inputs = [prisma, new URL('prisma/schema.prisma', root), new URL('prisma.config.ts', root)]
const wanted = inputs
  .reduce((hash, input) => hash.update(readFileSync(input)), createHash('sha256'))
  .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const { bin } = require(prisma)
  const cli = join(dirname(prisma), bin.prisma)
  const { status, error } = spawnSync(process.execPath, [cli, 'generate', '--no-hints'], {
    cwd: fileURLToPath(root),
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      // Prisma would download its schema engine, which generating never runs: any executable satisfies it.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1'
    }
  })
  if (error !== undefined) throw error
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(stamp, wanted)
}
