import { ensureAccessToken } from './access-token.js'
import { StackError, messageOf } from './errors.js'

export interface PrepareDatabaseOptions {
  url: string
  accessToken: string | undefined
  accessTokenPath: string
  signal: AbortSignal
}

/** Brings the schema up to date and makes sure of the access token, which it returns. */
export async function prepareDatabase ({ url, accessToken, accessTokenPath, signal }: PrepareDatabaseOptions): Promise<string> {
  // Loaded while PostgreSQL starts, rather than before it: Prisma takes a while.
  const { createDatabase, migrate } = await loadDatabasePackage()
  signal.throwIfAborted()
  try {
    await migrate({ url })
    const database = createDatabase({ url, poolSize: 1 })
    try {
      return await ensureAccessToken({ tokens: database.tokens, given: accessToken, path: accessTokenPath })
    } finally {
      await database.close()
    }
  } catch (error) {
    if (error instanceof StackError) throw error
    throw new StackError(`The database at ${new URL(url).host} could not be prepared: ${firstLine(messageOf(error))}.`, { cause: error })
  }
}

export async function loadDatabasePackage (): Promise<typeof import('@filewright/db')> {
  return await import('@filewright/db')
}

function firstLine (text: string): string {
  return text.trim().split('\n')[0]?.replace(/\.$/, '') ?? ''
}
