import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@filewright/contracts'
import { effectiveQuota, parseProjectId, parseTokenName } from '@filewright/domain'
import { createId, createToken, hashToken, LOCAL_TOKEN_NAME } from '@filewright/runtime'
import {
  table,
  UsageError,
  type AdminFlags,
  type AdminAdapters,
  type CommandResult,
  type Operator
} from './command.js'
import { liveToken } from './live-token.js'
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

function nameOf(given: string | undefined): string {
  if (given === undefined || given.trim() === '') throw new UsageError('--name is required')
  try {
    return parseTokenName(given)
  } catch (error) {
    throw new UsageError(`--name: ${(error as Error).message}`)
  }
}

export async function tokenCreate(
  { database, env }: AdminAdapters,
  _argument: string | undefined,
  flags: AdminFlags
): Promise<CommandResult> {
  const name = nameOf(flags.name)
  // The console trusts links with the local stack's token, which it knows by this name. `Local` is refused
  // too, because people would confuse them.
  if (name.trim().toLowerCase() === LOCAL_TOKEN_NAME) {
    throw new UsageError(`--name ${name} is reserved for the token of npm start; choose another name`)
  }
  const projects = projectsOf(flags.project)
  const expiresAt = expiryOf(flags['expires-in-days'])
  const quota = { maxFiles: null, maxBytes: null, ...quotaOf(flags) }
  const allowed = effectiveQuota(quota, defaultQuotasFrom(env).token)
  const isOperator = flags.operator ?? false
  const token = createToken()
  const id = createId()
  await database().tokens.create({
    id,
    name,
    hash: hashToken(token),
    projects,
    quota,
    isOperator,
    ...(expiresAt === undefined ? {} : { expiresAt })
  })
  return {
    json: {
      id,
      name,
      token,
      projects,
      is_operator: isOperator,
      expires_at: expiresAt?.toISOString() ?? null,
      ...quotaJson(allowed)
    },
    text: [
      token,
      '',
      'Save it now: it is not shown again.',
      `Projects: ${projects.join(', ')}.${isOperator ? ' It can manage tokens.' : ''}`,
      `Expires: ${expiresAt?.toISOString() ?? 'never'}. Storage: ${shownQuota(allowed)}.`
    ].join('\n')
  }
}

export async function tokenList({ database, env }: AdminAdapters): Promise<CommandResult> {
  const fallback = defaultQuotasFrom(env).token
  const list = (await database().tokens.list()).map(
    ({ id, name, projects, isOperator, createdAt, expiresAt, revokedAt, ...own }) => ({
      id,
      name,
      projects,
      is_operator: isOperator,
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
    token.is_operator ? 'yes' : '',
    token.created_at,
    token.expires_at ?? 'never',
    shownQuota({ maxFiles: token.max_files, maxBytes: token.max_bytes }),
    token.revoked_at ?? ''
  ])
  return {
    json: list,
    text: table(['ID', 'NAME', 'PROJECTS', 'OPERATOR', 'CREATED', 'EXPIRES', 'STORAGE', 'REVOKED'], rows)
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
  asked: string | undefined,
  { yes = false }: AdminFlags,
  { ask }: Operator
): Promise<CommandResult> {
  if (asked === undefined || asked === '') throw new UsageError('token revoke needs the id of a token')
  const { tokens } = database()
  const found = await liveToken(tokens, asked)
  if ('answer' in found) return { ...found.answer, json: { revoked: 0, ...(found.answer.json as object) } }
  const { id, name } = found.token
  if (!found.byId && !yes && ask !== undefined) {
    const typed = await ask(`Revoke ${name} (${id})? Type yes: `)
    if (typed !== 'yes') return { json: { revoked: 0, id }, text: 'Nothing was revoked', refused: true }
  }
  const revoked = await tokens.revoke(id, new Date())
  // When this command reports success, no gateway accepts the token.
  await sleep(limits.revokedTokenMs)
  return { json: { revoked: revoked ? 1 : 0, id }, text: `Revoked ${name} (${id})`, failed: !revoked }
}
