import { ensureAccessToken } from './access-token.js'
import { StackError, messageOf } from './errors.js'

export interface PrepareDatabaseOptions {
  url: string
  accessToken: string | undefined
  accessTokenPath: string
  signal: AbortSignal
}

/** Migrates the schema and ensures the access token, which it returns. */
export async function prepareDatabase({
  url,
  accessToken,
  accessTokenPath,
  signal
}: PrepareDatabaseOptions): Promise<string> {
  // Loaded while PostgreSQL starts, not before.
  const { ensureToken, migrate } = await loadDatabaseSetup()
  signal.throwIfAborted()
  try {
    await migrate({ url })
    return await ensureAccessToken({
      ensure: async (token) => await ensureToken({ url, token }),
      given: accessToken,
      path: accessTokenPath
    })
  } catch (error) {
    if (error instanceof StackError) throw error
    throw new StackError(
      `The database at ${new URL(url).host} could not be prepared: ${firstLine(messageOf(error))}.`,
      { cause: error }
    )
  }
}

export async function loadDatabaseSetup(): Promise<typeof import('@filewright/db/setup')> {
  return await import('@filewright/db/setup')
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]?.replace(/\.$/, '') ?? ''
}
