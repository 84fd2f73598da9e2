import { createId, createToken } from '@filewright/runtime'
import { parseProjectId } from '../modules/files/fields.js'
import { hashToken } from '../modules/tokens/tokens.service.js'
import { table, UsageError, type AdminDatabase, type AdminFlags, type Answer } from './command.js'

type Tokens = Pick<AdminDatabase, 'tokens'>

const DAY_MS = 86_400_000

function expiryOf (days: string | undefined): Date | undefined {
  if (days === undefined) return undefined
  if (!/^[1-9]\d{0,4}$/.test(days)) throw new UsageError('--expires-in-days must be a whole number of days')
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

export async function tokenCreate ({ tokens }: Tokens, _argument: string | undefined, flags: AdminFlags): Promise<Answer> {
  if (flags.name === undefined || flags.name.trim() === '') throw new UsageError('--name is required')
  const projects = projectsOf(flags.project)
  const expiresAt = expiryOf(flags['expires-in-days'])
  const token = createToken()
  const id = createId()
  await tokens.create({ id, name: flags.name, hash: hashToken(token), projects, ...(expiresAt === undefined ? {} : { expiresAt }) })
  return {
    json: { id, name: flags.name, token, projects, expires_at: expiresAt?.toISOString() ?? null },
    text: `${token}\n\nKeep it: it is shown this once. Projects: ${projects.join(', ')}`
  }
}

export async function tokenList ({ tokens }: Tokens): Promise<Answer> {
  const list = (await tokens.list()).map(({ id, name, projects, createdAt, expiresAt, revokedAt }) => ({
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

export async function tokenRevoke ({ tokens }: Tokens, idOrName: string | undefined): Promise<Answer> {
  if (idOrName === undefined) throw new UsageError('token revoke needs the id or the name of a token')
  const revoked = await tokens.revoke(idOrName, new Date())
  return {
    json: { revoked },
    text: revoked === 0 ? `No live token is called ${idOrName}` : `Revoked ${revoked} token${revoked === 1 ? '' : 's'}`,
    found: revoked > 0
  }
}
