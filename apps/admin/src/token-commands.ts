import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@filewright/contracts'
import type { Database, TokenRecord } from '@filewright/db'
import { effectiveQuota, parseProjectId } from '@filewright/domain'
import { createId, createToken, hashToken } from '@filewright/runtime'
import { table, UsageError, type AdminFlags, type AdminAdapters, type CommandResult } from './command.js'
import { defaultQuotasFrom, quotaJson, quotaOf, requiredQuotaOf, shownQuota } from './quota-flags.js'

const DAY_MS = 86_400_000

function expiryOf(days: string | undefined): Date | undefined {
  if (days === undefined) return undefined
  if (!/^[1-9]\d{0,4}$/.test(days)) {
    throw new UsageError(
      '--expires-in-days must be a whole number from 1 to 99999; to end a token now, revoke it'
    )
  }
  return new Date(Date.now() + Number(days) * DAY_MS)
}

function projectsOf(given: string[] | undefined): string[] {
  if (given === undefined) throw new UsageError("--project is required; --project '*' opens every project")
  // Both `--project a --project b` and `--project a,b`.
  return given
    .flatMap((list) => list.split(','))
    .map((id) => {
      try {
        return parseProjectId(id.trim())
      } catch (error) {
        throw new UsageError(`--project: ${(error as Error).message}`)
      }
    })
}

export async function tokenCreate(
  { database, env }: AdminAdapters,
  _argument: string | undefined,
  flags: AdminFlags
): Promise<CommandResult> {
  if (flags.name === undefined || flags.name.trim() === '') throw new UsageError('--name is required')
  const projects = projectsOf(flags.project)
  const expiresAt = expiryOf(flags['expires-in-days'])
  const quota = { maxFiles: null, maxBytes: null, ...quotaOf(flags) }
  const allowed = effectiveQuota(quota, defaultQuotasFrom(env).token)
  const token = createToken()
  const id = createId()
  await database().tokens.create({
    id,
    name: flags.name,
    hash: hashToken(token),
    projects,
    quota,
    ...(expiresAt === undefined ? {} : { expiresAt })
  })
  return {
    json: {
      id,
      name: flags.name,
      token,
      projects,
      expires_at: expiresAt?.toISOString() ?? null,
      ...quotaJson(allowed)
    },
    text: [
      token,
      '',
      'Keep it: it is shown this once.',
      `Projects: ${projects.join(', ')}.`,
      `Expires: ${expiresAt?.toISOString() ?? 'never'}. Storage: ${shownQuota(allowed)}.`
    ].join('\n')
  }
}

export async function tokenList({ database, env }: AdminAdapters): Promise<CommandResult> {
  const fallback = defaultQuotasFrom(env).token
  const list = (await database().tokens.list()).map(
    ({ id, name, projects, createdAt, expiresAt, revokedAt, ...own }) => ({
      id,
      name,
      projects,
      created_at: createdAt.toISOString(),
      expires_at: expiresAt?.toISOString() ?? null,
      revoked_at: revokedAt?.toISOString() ?? null,
      ...quotaJson(effectiveQuota(own, fallback))
    })
  )
  const rows = list.map((token) => [
    token.id,
    token.name,
    token.projects.join(','),
    token.created_at,
    token.expires_at ?? 'never',
    shownQuota({ maxFiles: token.max_files, maxBytes: token.max_bytes }),
    token.revoked_at ?? ''
  ])
  return {
    json: list,
    text: table(['ID', 'NAME', 'PROJECTS', 'CREATED', 'EXPIRES', 'STORAGE', 'REVOKED'], rows)
  }
}

/** By an id, the beginning of one, or a name; what fits more than one token means none. */
async function liveToken(
  tokens: Pick<Database['tokens'], 'list'>,
  asked: string
): Promise<{ token: TokenRecord } | { answer: CommandResult }> {
  const live = (await tokens.list()).filter(({ revokedAt }) => revokedAt === null)
  const exact = live.filter(({ id }) => id === asked)
  const fitting =
    exact.length > 0 ? exact : live.filter(({ id, name }) => name === asked || id.startsWith(asked))
  const [token] = fitting
  if (token === undefined) {
    return { answer: { json: {}, text: `No live token is called ${asked}`, failed: true } }
  }
  if (fitting.length === 1) return { token }
  const rows = fitting.map(({ id, name, createdAt }) => [id, name, createdAt.toISOString()])
  return {
    answer: {
      json: { fitting: fitting.map(({ id }) => id) },
      text: `${fitting.length} live tokens fit ${asked}; say which one by its id:\n${table(['ID', 'NAME', 'CREATED'], rows)}`,
      failed: true
    }
  }
}

export async function tokenQuota(
  { database, env }: AdminAdapters,
  asked: string | undefined,
  flags: AdminFlags
): Promise<CommandResult> {
  if (asked === undefined || asked === '') throw new UsageError('token quota needs the id of a token')
  const changes = requiredQuotaOf(flags)
  const { tokens, quotas } = database()
  const found = await liveToken(tokens, asked)
  if ('answer' in found) return found.answer
  const { id, name, maxFiles, maxBytes } = found.token
  const own = (await quotas.setToken(id, changes)) ?? { maxFiles, maxBytes }
  const allowed = effectiveQuota(own, defaultQuotasFrom(env).token)
  return { json: { id, ...quotaJson(allowed) }, text: `Token ${name} (${id}): ${shownQuota(allowed)}` }
}

export async function tokenRevoke(
  { database }: AdminAdapters,
  asked: string | undefined
): Promise<CommandResult> {
  if (asked === undefined || asked === '') throw new UsageError('token revoke needs the id of a token')
  const { tokens } = database()
  const found = await liveToken(tokens, asked)
  if ('answer' in found) return { ...found.answer, json: { revoked: 0, ...(found.answer.json as object) } }
  const { token } = found
  const revoked = await tokens.revoke(token.id, new Date())
  // When this command says so, no gateway takes the token any more.
  await sleep(limits.revokedTokenMs)
  return {
    json: { revoked: revoked ? 1 : 0, id: token.id },
    text: `Revoked ${token.name} (${token.id})`,
    failed: !revoked
  }
}
