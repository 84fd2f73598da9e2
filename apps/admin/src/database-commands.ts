import type { AdminParts, Answer } from './command.js'

export async function databaseMigrate({ migrate }: AdminParts): Promise<Answer> {
  const { applied } = await migrate()
  return {
    json: { applied },
    text: applied.length === 0 ? 'The database is up to date' : `Applied ${applied.join(', ')}`
  }
}
