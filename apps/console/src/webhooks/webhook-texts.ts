import type { Delivery, EventType } from '@filewright/client/browser'
import { formatTime } from '../format.js'
import { many } from '../texts.js'

type ProjectEvent = Exclude<EventType, 'scanner.degraded' | 'scanner.recovered'>

/** Every event that a webhook of a project can receive. */
export const eventTexts: Record<ProjectEvent, string> = {
  'file.created': 'A file was stored, or restored from the trash',
  'file.deleted': 'A file went to the trash, or was deleted permanently',
  'file.withdrawn': 'New signatures found malware in a stored file',
  'file.rejected': 'An upload was refused',
  'project.quota.warning': 'A quota of the project reached 80 % or 100 %',
  'generation.completed': 'An AI request of your token succeeded',
  'generation.failed': 'An AI request of your token failed'
}
export const eventNames = Object.keys(eventTexts) as ProjectEvent[]

export const webhookTexts = {
  title: 'Webhooks',
  titleOf: (project: string) => `Webhooks of ${project}`,
  back: (project: string) => `Back to ${project}`,
  toList: 'All webhooks',
  lead: 'A webhook sends events of this project to a program of yours. Everybody with a token for the project can see and change it.',
  failed: 'The webhooks could not be listed',
  empty: 'No webhooks yet',
  emptyLead:
    'Create one to learn of new, deleted, refused and withdrawn files without asking again and again.',
  create: 'New webhook',
  enabled: 'Enabled',
  disabled: 'Disabled',
  failingSince: (at: string) => `Failing since ${formatTime(at)}`,
  disabledBecause: (reason: string, at: string | null) =>
    `Disabled by the service${at === null ? '' : ` on ${formatTime(at)}`}: ${reason}`,
  state: 'State',
  events: 'Events',
  description: 'Description',
  noDescription: 'None',
  created: 'Created',
  id: 'Webhook ID',
  last: 'Last delivery',
  noDelivery: 'Nothing has been delivered yet.',
  change: 'Change',
  enable: 'Enable',
  disable: 'Disable',
  nowEnabled: 'The webhook is enabled. What was waiting is delivered now.',
  nowDisabled:
    'The webhook is disabled. Events of the time until you enable it are only delivered by a replay.',
  rotate: 'New secret',
  delete: 'Delete',
  missing: 'Webhook not found',
  missingLead: 'This webhook no longer exists, or your token does not open its project.',
  form: {
    createTitle: 'New webhook',
    changeTitle: 'Change the webhook',
    url: 'Address',
    urlHelp: 'An https address that is reachable from the service. It receives a POST for each event.',
    listen: (project: string, url: string) =>
      `For a program on this machine: filewright listen --project ${project} --forward-to ${url}`,
    urlMissing: 'Enter the address that events are sent to.',
    events: 'Events',
    eventsMissing: 'Choose at least one event.',
    create: 'Create webhook',
    change: 'Save',
    saving: 'Saving…',
    discardTitle: 'Discard your input?',
    discardLead: 'The webhook has not been saved.',
    discard: 'Discard',
    keep: 'Keep editing'
  },
  secret: {
    title: 'Secret of the webhook',
    lead: (url: string) =>
      `Deliveries to ${url} are signed with this secret. Your program needs it to verify them.`,
    once: 'Copy it now. It is not shown again: if you lose it, you need a new secret.',
    overlap: (hours: number) =>
      hours === 0
        ? 'The previous secret no longer signs.'
        : `The previous secret signs as well for ${many(hours, 'hour')}.`,
    label: 'Secret',
    leaveTitle: 'Close without the secret?',
    leaveLead: 'The secret cannot be shown again. Without it your program cannot verify deliveries.'
  },
  rotateDialog: {
    title: 'Create a new secret?',
    lead: 'Deliveries are signed with the new secret from now on. The old one signs as well for a while, so that you can change your program.',
    hours: 'Hours with both secrets (0 to 168)',
    bad: 'Enter a whole number from 0 to 168.',
    button: 'Create new secret'
  },
  deleteDialog: {
    title: 'Delete this webhook?',
    lead: (url: string) =>
      `${url} receives no more events, and the log of its deliveries is deleted. This cannot be undone.`,
    button: 'Delete webhook'
  },
  deliveries: {
    title: 'Deliveries',
    failed: 'The deliveries could not be listed',
    filter: 'Show',
    filters: { '': 'All', pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' },
    states: { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' },
    none: 'No deliveries.',
    noneWith: 'No deliveries in this state.',
    oldEvent: 'Event that is no longer kept',
    noAttempt: 'not tried yet',
    noStatus: 'no response',
    status: 'HTTP status',
    duration: 'Duration',
    ms: (ms: number) => `${ms} ms`,
    attempts: 'Attempts',
    time: 'Last attempt',
    next: 'Next attempt',
    error: 'Error',
    event: 'Event ID',
    response: 'Response, first kilobyte',
    noResponse: 'Empty.',
    again: 'Deliver again',
    againOf: (delivery: Delivery) =>
      `Deliver ${delivery.type ?? ''} of ${formatTime(delivery.created_at)} again`,
    more: 'Show more'
  },
  replay: {
    open: 'Replay a time range',
    title: 'Deliver events again',
    lead: 'All events of the time range that this webhook receives are delivered again, at most 10,000. Your program gets them with the same IDs.',
    from: 'From',
    to: 'To (optional; now if empty)',
    missing: 'Enter the time of the first event.',
    order: 'The end must be after the beginning.',
    button: 'Deliver again',
    done: (events: number) =>
      events === 0
        ? 'Nothing to deliver again: there is no such event, or it waits for its delivery already.'
        : `${many(events, 'event')} will be delivered again.`,
    whileDisabled: 'The webhook is disabled: they are delivered when it is enabled.'
  }
}
