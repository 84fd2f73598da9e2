import {
  BadRequestError,
  type ChangeWebhookRequest,
  type Delivery,
  type Filewright,
  type ReplayRequest,
  type Webhook
} from '@filewright/client'
import { explainFailure, isEventType, projectEventTypes } from '@filewright/contracts'
import { exitCodes, Failure } from '../failure.js'
import { counted, jsonText, paint, type Io } from '../io.js'
import { printTable } from '../table.js'

interface JsonFlag {
  json?: boolean
}

function stateOf({ enabled, failing_since: since, disabled_reason: reason }: Webhook): string {
  if (!enabled) return reason === null ? 'disabled' : `disabled: ${reason}`
  return since === null ? 'enabled' : `failing since ${timeOf(since)}`
}

const timeOf = (time: string): string => `${time.slice(0, 19).replace('T', ' ')} UTC`

export async function list(io: Io, client: Filewright, project: string, { json }: JsonFlag): Promise<void> {
  const webhooks = await client.webhooks.list({ projectId: project })
  if (json === true) return io.out(jsonText({ webhooks }))
  if (webhooks.length === 0) return io.note(`${project} has no webhooks\n`)
  printTable(
    io,
    [{ header: 'id' }, { header: 'address', isFlexible: true }, { header: 'state' }, { header: 'events' }],
    webhooks.map((webhook) => [
      paint('dim', webhook.id),
      webhook.url,
      paint(webhook.enabled && webhook.failing_since === null ? 'green' : 'yellow', stateOf(webhook)),
      webhook.events.join(' ')
    ])
  )
}

export async function create(
  io: Io,
  client: Filewright,
  project: string,
  url: string,
  { events = projectEventTypes, description, json }: JsonFlag & { events?: string[]; description?: string }
): Promise<void> {
  const types = events.filter(isEventType)
  if (types.length < events.length) {
    throw new Failure(`--events takes any of ${projectEventTypes.join(', ')}`, exitCodes.usage)
  }
  const request = {
    project_id: project,
    url,
    events: types,
    ...(description === undefined ? {} : { description })
  }
  const webhook = await client.webhooks.create(request).catch((error: unknown) => {
    if (!(error instanceof BadRequestError) || !isThisMachine(url)) throw error
    const command = `filewright listen --project ${project} --forward-to ${url}`
    throw new Failure(`${explainFailure(error)}; for a program on this machine: ${command}`)
  })
  if (json === true) return io.out(jsonText({ webhook }))
  sayWithSecret(io, webhook)
}

function isThisMachine(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host)
}

function sayWithSecret(io: Io, { id, secret }: { id: string; secret: string }): void {
  io.out(`${id}\n${secret}\n`)
  io.note('The second line is the secret. It is not shown again.\n')
}

export async function change(
  io: Io,
  client: Filewright,
  id: string,
  changes: ChangeWebhookRequest,
  { json }: JsonFlag
): Promise<void> {
  const webhook = await client.webhooks.change(id, changes)
  io.out(json === true ? jsonText({ webhook }) : `${webhook.url} is ${stateOf(webhook)}\n`)
}

export async function rotate(
  io: Io,
  client: Filewright,
  id: string,
  { overlapHours, json }: JsonFlag & { overlapHours: number }
): Promise<void> {
  const webhook = await client.webhooks.rotate(id, { overlapHours })
  if (json === true) return io.out(jsonText({ webhook }))
  sayWithSecret(io, webhook)
}

export async function deliveries(
  io: Io,
  client: Filewright,
  id: string,
  { state, json }: JsonFlag & { state?: Delivery['state'] }
): Promise<void> {
  const found = await client.webhooks.deliveries(id, {
    limit: 100,
    ...(state === undefined ? {} : { state })
  })
  if (json === true) return io.out(jsonText({ deliveries: found }))
  if (found.length === 0) return io.note('No deliveries\n')
  printTable(
    io,
    [
      { header: 'time' },
      { header: 'event' },
      { header: 'state' },
      { header: 'attempts' },
      { header: 'response', isFlexible: true },
      { header: 'event id' }
    ],
    found.map((delivery) => [
      timeOf(delivery.attempted_at ?? delivery.created_at),
      delivery.type ?? '',
      delivery.state,
      counted(delivery.attempts, 'attempt'),
      delivery.error ?? (delivery.status === null ? '' : String(delivery.status)),
      paint('dim', delivery.event_id)
    ])
  )
}

export async function replay(
  io: Io,
  client: Filewright,
  id: string,
  { event, from, to, json }: JsonFlag & { event?: string; from?: string; to?: string }
): Promise<void> {
  if (event === undefined && from === undefined) {
    throw new Failure('Name one event with --event, or a time with --from', exitCodes.usage)
  }
  const request: ReplayRequest =
    event === undefined
      ? { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
      : { event_id: event }
  const replayed = await client.webhooks.replay(id, request)
  io.out(
    json === true ? jsonText({ replayed }) : `${counted(replayed, 'event')} queued for another delivery\n`
  )
}

export async function remove(io: Io, client: Filewright, id: string, { json }: JsonFlag): Promise<void> {
  await client.webhooks.delete(id)
  io.out(json === true ? jsonText({ deleted: id }) : `${id} deleted\n`)
}
