import { readFileSync, writeFileSync } from 'node:fs'
import type { EnsureTokenOptions } from '@filewright/db/setup'
import { createId, createToken, hashToken, LOCAL_TOKEN_NAME } from '@filewright/runtime'
import { StackError, codeOf } from './errors.js'

export interface AccessTokenDeps {
  /** Ensures that the token exists; false when it was revoked. */
  ensure: (token: EnsureTokenOptions['token']) => Promise<boolean>
  /** `ACCESS_TOKEN`, if set. */
  given: string | undefined
  /** Where the generated one is stored. */
  path: string
}

/** The token that the banner prints: it always works, for every project. */
export async function ensureAccessToken({ ensure, given, path }: AccessTokenDeps): Promise<string> {
  const works = async (token: string): Promise<boolean> => {
    return await ensure({
      id: createId(),
      name: LOCAL_TOKEN_NAME,
      hash: hashToken(token),
      projects: ['*'],
      // Its owner runs the stack, and could create tokens with the command anyway.
      isOperator: true
    })
  }
  if (given !== undefined) {
    if (await works(given)) return given
    throw new StackError('ACCESS_TOKEN is a token that was revoked: set another one.')
  }
  const kept = readToken(path)
  if (kept !== null && (await works(kept))) return kept
  const made = createToken()
  await works(made)
  writeFileSync(path, `${made}\n`, { mode: 0o600 })
  return made
}

function readToken(path: string): string | null {
  try {
    const token = readFileSync(path, 'utf8').trim()
    return token === '' ? null : token
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}
