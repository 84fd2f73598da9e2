import type { NewToken, TokenRecord } from '@filewright/db'
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
  // Loaded while PostgreSQL starts, rather than before it.
  const { migrate, tokenStands } = await loadDatabaseSetup()
  signal.throwIfAborted()
  try {
    await migrate({ url })
    return await ensureAccessToken({
      tokens: { ensure: async (token) => await ensureToken(url, token) },
      stands: async (token) => await tokenStands({ url, ...token }),
      given: accessToken,
      path: accessTokenPath
    })
  } catch (error) {
    if (error instanceof StackError) throw error
    throw new StackError(`The database at ${new URL(url).host} could not be prepared: ${firstLine(messageOf(error))}.`, { cause: error })
  }
}

export async function loadDatabaseSetup (): Promise<typeof import('@filewright/db/setup')> {
  return await import('@filewright/db/setup')
}

/** Only a first start comes here: Prisma takes a while to load. */
async function ensureToken (url: string, token: NewToken): Promise<TokenRecord> {
  const { createDatabase } = await import('@filewright/db')
  const database = createDatabase({ url, poolSize: 1 })
  try {
    return await database.tokens.ensure(token)
  } finally {
    await database.close()
  }
}

function firstLine (text: string): string {
  return text.trim().split('\n')[0]?.replace(/\.$/, '') ?? ''
}
