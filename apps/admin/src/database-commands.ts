import type { AdminAdapters, CommandResult } from './command.js'

export async function databaseMigrate({ migrate }: AdminAdapters): Promise<CommandResult> {
  const { applied } = await migrate()
  return {
    json: { applied },
    text: applied.length === 0 ? 'The database is up to date' : `Applied ${applied.join(', ')}`
  }
}
