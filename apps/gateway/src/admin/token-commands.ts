import { setTimeout as sleep } from 'node:timers/promises'
import { createId, createToken } from '@filewright/runtime'
import { parseProjectId } from '../modules/files/fields.js'
import { hashToken, TOKEN_CACHE_MS } from '../modules/tokens/tokens.service.js'
import { table, UsageError, type AdminFlags, type AdminParts, type Answer } from './command.js'

const DAY_MS = 86_400_000

function expiryOf (days: string | undefined): Date | undefined {
  if (days === undefined) return undefined
  if (!/^[1-9]\d{0,4}$/.test(days)) throw new UsageError('--expires-in-days must be a whole number from 1 to 99999; to end a token now, revoke it')
  return new Date(Date.now() + Number(days) * DAY_MS)
}

function projectsOf (given: string[] | undefined): string[] {
  if (given === undefined) throw new UsageError("--project is required; --project '*' opens every project")
  // Both `--project a --project b` and `--project a,b`.
  return given.flatMap((list) => list.split(',')).map((id) => {
    try {
      return parseProjectId(id.trim())
    } catch (error) {
      throw new UsageError(`--project: ${(error as Error).message}`)
    }
  })
}

export async function tokenCreate ({ database }: AdminParts, _argument: string | undefined, flags: AdminFlags): Promise<Answer> {
  if (flags.name === undefined || flags.name.trim() === '') throw new UsageError('--name is required')
  const projects = projectsOf(flags.project)
  const expiresAt = expiryOf(flags['expires-in-days'])
  const token = createToken()
  const id = createId()
  await database().tokens.create({ id, name: flags.name, hash: hashToken(token), projects, ...(expiresAt === undefined ? {} : { expiresAt }) })
  return {
    json: { id, name: flags.name, token, projects, expires_at: expiresAt?.toISOString() ?? null },
    text: `${token}\n\nKeep it: it is shown this once. Projects: ${projects.join(', ')}`
  }
}

export async function tokenList ({ database }: AdminParts): Promise<Answer> {
  const list = (await database().tokens.list()).map(({ id, name, projects, createdAt, expiresAt, revokedAt }) => ({
    id,
    name,
    projects,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    revoked_at: revokedAt?.toISOString() ?? null
  }))
  const rows = list.map((token) => [
    token.id, token.name, token.projects.join(','), token.created_at, token.expires_at ?? 'never', token.revoked_at ?? ''
  ])
  return { json: list, text: table(['ID', 'NAME', 'PROJECTS', 'CREATED', 'EXPIRES', 'REVOKED'], rows) }
}

/** An id, the beginning of one, or a name; what fits more than one token ends none. */
export async function tokenRevoke ({ database }: AdminParts, asked: string | undefined): Promise<Answer> {
  if (asked === undefined || asked === '') throw new UsageError('token revoke needs the id of a token')
  const { tokens } = database()
  const live = (await tokens.list()).filter(({ revokedAt }) => revokedAt === null)
  const exact = live.filter(({ id }) => id === asked)
  const fitting = exact.length > 0 ? exact : live.filter(({ id, name }) => name === asked || id.startsWith(asked))
  const [token] = fitting
  if (token === undefined) return { json: { revoked: 0 }, text: `No live token is called ${asked}`, failed: true }
  if (fitting.length > 1) {
    const ids = fitting.map(({ id }) => id)
    return {
      json: { revoked: 0, fitting: ids },
      text: `${fitting.length} live tokens fit ${asked}; say which one by its id:\n${table(['ID', 'NAME', 'CREATED'], fitting.map(({ id, name, createdAt }) => [id, name, createdAt.toISOString()]))}`,
      failed: true
    }
  }
  const revoked = await tokens.revoke(token.id, new Date())
  // When this command says so, no gateway takes the token any more.
  await sleep(TOKEN_CACHE_MS)
  return { json: { revoked: revoked ? 1 : 0, id: token.id }, text: `Revoked ${token.name} (${token.id})`, failed: !revoked }
}
