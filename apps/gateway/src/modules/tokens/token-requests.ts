import { MAX_TOKEN_DAYS } from '@filewright/contracts'
import { parseProjectId, parseTokenName } from '@filewright/domain'
import { InvalidFieldError, LOCAL_TOKEN_NAME } from '@filewright/runtime'
import { objectOf, textOf, type Body } from '../../http/json-fields.js'
import type { NewAccessToken } from './token-admin.service.js'

/** More than a person chooses, and short enough to read. */
const MAX_PROJECTS = 1_000

function nameOf(body: Body): string {
  const name = parseTokenName(textOf(body, 'name'))
  if (name.trim() === '') throw new InvalidFieldError('name', 'is required')
  // The console trusts links with the local stack's token, which it knows by this name.
  if (name.trim().toLowerCase() === LOCAL_TOKEN_NAME) {
    throw new InvalidFieldError('name', `must not be ${name.trim()}, which is the token of npm start`)
  }
  return name
}

function projectsOf({ projects }: Body): string[] {
  if (projects === null) return ['*']
  const isList = Array.isArray(projects) && projects.length > 0 && projects.length <= MAX_PROJECTS
  if (!isList || !projects.every((each) => typeof each === 'string')) {
    throw new InvalidFieldError('projects', 'must be an array of project ids, or null for all')
  }
  return projects.map((id) => {
    if (id === '*') throw new InvalidFieldError('projects', 'must be null for all projects')
    try {
      return parseProjectId(id)
    } catch (error) {
      throw error instanceof InvalidFieldError ? new InvalidFieldError('projects', error.rule) : error
    }
  })
}

function countOf(body: Body, field: string, most = Number.MAX_SAFE_INTEGER): number | null {
  const value = body[field]
  if (value === undefined) return null
  if (!Number.isSafeInteger(value) || Number(value) < 1 || Number(value) > most) {
    throw new InvalidFieldError(field, `must be a whole number from 1 to ${most}`)
  }
  return Number(value)
}

export function parseNewToken(given: unknown): NewAccessToken {
  const body = objectOf(given, ['name', 'projects', 'expires_in_days', 'max_files', 'max_bytes'])
  return {
    name: nameOf(body),
    projects: projectsOf(body),
    expiresInDays: countOf(body, 'expires_in_days', MAX_TOKEN_DAYS),
    quota: { maxFiles: countOf(body, 'max_files'), maxBytes: countOf(body, 'max_bytes') }
  }
}
