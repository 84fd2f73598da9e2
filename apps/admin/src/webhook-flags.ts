import { limits, operatorEventTypes, projectEventTypes, type EventType } from '@filewright/contracts'
import {
  parseDeliveryState,
  parseDescription,
  parseEventReference,
  parseEventTime,
  parseEventTypes,
  parseOverlapHours,
  parseProjectId,
  type NewWebhook,
  type Replay
} from '@filewright/domain'
import type { DeliveryState } from '@filewright/db'
import { InvalidFieldError, isId } from '@filewright/runtime'
import { UsageError, type AdminFlags } from './command.js'

/** These events go to webhooks of the token that made the request, and this command has no token. */
const OF_TOKENS: readonly EventType[] = ['generation.completed', 'generation.failed']
const OF_PROJECTS = projectEventTypes.filter((type) => !OF_TOKENS.includes(type))
const OF_OPERATORS = [...projectEventTypes, ...operatorEventTypes]

function parsed<T>(flag: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof InvalidFieldError)) throw error
    throw new UsageError(`--${flag} ${error.rule}`)
  }
}

export function projectOf({ project = [] }: AdminFlags): string | null {
  const [first, ...others] = project
  if (first === undefined) return null
  if (others.length > 0) throw new UsageError('--project can be given once; without it: all projects')
  return parsed('project', () => parseProjectId(first))
}

export function newWebhookOf(flags: AdminFlags): NewWebhook {
  const { url, events, description = '' } = flags
  if (url === undefined) throw new UsageError('--url is required')
  const projectId = projectOf(flags)
  const known = projectId === null ? OF_OPERATORS : OF_PROJECTS
  // Both `--events a --events b` and `--events a,b`.
  const types = events?.flatMap((list) => list.split(',')).map((type) => type.trim())
  return {
    projectId,
    tokenId: null,
    url,
    events: types === undefined ? known : parsed('events', () => parseEventTypes(types, known)),
    description: parsed('description', () => parseDescription(description)) ?? ''
  }
}

export function webhookIdOf(command: string, id: string | undefined): string {
  if (id !== undefined && isId(id)) return id
  throw new UsageError(`${command} needs the id of a webhook. See: npm run admin -- webhook list`)
}

export function replayOf({ event, from, to }: AdminFlags): Replay {
  if (event !== undefined) {
    if (from !== undefined || to !== undefined) throw new UsageError('Give --event or --from, not both')
    return { event: parsed('event', () => parseEventReference('event', event)), from: null, to: null }
  }
  if (from === undefined) throw new UsageError('--event <id> or --from <time> is required')
  return {
    event: null,
    from: parsed('from', () => parseEventTime('from', from)),
    to: to === undefined ? null : parsed('to', () => parseEventTime('to', to))
  }
}

export const stateOf = ({ state }: AdminFlags): DeliveryState | null =>
  parsed('state', () => parseDeliveryState(state))

export function overlapHoursOf({ 'overlap-hours': hours }: AdminFlags): number {
  if (hours === undefined) return limits.secretOverlapHours.default
  return parsed('overlap-hours', () => parseOverlapHours(/^\d{1,4}$/.test(hours) ? Number(hours) : NaN))
}
