import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MigrationList } from '@prisma/schema-engine-wasm'

// From dist/src/migrations to the package's own folder: SQL and schema are read where they are written, not copied at build.
const folder = fileURLToPath(new URL('../../../prisma', import.meta.url))

export const migrationsFolder = join(folder, 'migrations')

export async function readSchema (): Promise<string> {
  return await readFile(join(folder, 'schema.prisma'), 'utf8')
}

export async function readMigrations (baseDir = migrationsFolder): Promise<MigrationList> {
  const entries = await readdir(baseDir, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort()
  const migrationDirectories = await Promise.all(names.map(async (name) => ({
    path: name,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: await readFile(join(baseDir, name, 'migration.sql'), 'utf8') } }
  })))
  return { baseDir, lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' }, shadowDbInitScript: '', migrationDirectories }
}
