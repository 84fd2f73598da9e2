import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { MigrationList } from '@prisma/schema-engine-wasm'

// SQL and schema are read from the source, not copied at build. Found by the package's name, which also works
// inside a bundle and in an image.
const folder = join(dirname(createRequire(import.meta.url).resolve('@filewright/db/package.json')), 'prisma')

export const migrationsFolder = join(folder, 'migrations')

export async function readSchema(): Promise<string> {
  return await readFile(join(folder, 'schema.prisma'), 'utf8')
}

export async function readMigrations(baseDir = migrationsFolder): Promise<MigrationList> {
  const entries = await readdir(baseDir, { withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  const migrationDirectories = await Promise.all(
    names.map(async (name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok' as const, value: await readFile(join(baseDir, name, 'migration.sql'), 'utf8') }
      }
    }))
  )
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories
  }
}
