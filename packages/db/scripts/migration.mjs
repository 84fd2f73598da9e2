// Writes the next migration: the difference that Prisma's engine finds between the existing migrations and
// the schema.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrationsFolder } from '../dist/src/migrations/migration-files.js'
import { diffMigrations } from '../dist/src/migrations/diff.js'
import { startPglite } from '@filewright/embedded-postgres'

const name = process.argv[2]
if (name === undefined || !/^[a-z0-9_]+$/.test(name)) {
  console.error('usage: npm run migration -w packages/db -- <name_in_snake_case>')
  process.exit(2)
}

const server = await startPglite()
let sql
try {
  sql = await diffMigrations({ url: server.url })
} finally {
  await server.stop()
}

if (sql === '') {
  console.log('The migrations already lead to the schema: nothing to write')
} else {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const folder = join(migrationsFolder, `${stamp}_${name}`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'migration.sql'), sql)
  console.log(
    `Wrote ${join(folder, 'migration.sql')}: read it before you commit it, and put its name into src/migrations/level.ts`
  )
}
