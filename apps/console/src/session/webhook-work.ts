import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import type { EventType, Webhook } from '@filewright/client/browser'

/** The form that creates or changes a webhook. */
export interface WebhookDraft {
  project: string
  /** Empty for a new webhook. */
  id: string
  url: string
  events: readonly EventType[]
  description: string
  /** Closing it asks first. */
  isChanged: boolean
}

/** A secret that the service shows only once. */
export interface ShownSecret {
  url: string
  secret: string
  /** How long the previous secret signs, too; null for a new webhook. */
  overlapHours: number | null
}

/** What would be lost with a view: a form that is not sent, and a secret that nobody has saved. */
export interface WebhookWork {
  draft: Signal<WebhookDraft | null>
  secret: Signal<ShownSecret | null>
  isUnfinished: ReadonlySignal<boolean>
  /** Counts changes, so that lists load again. */
  changes: Signal<number>
}

export function createWebhookWork(ended: AbortSignal): WebhookWork {
  const draft = signal<WebhookDraft | null>(null)
  const secret = signal<ShownSecret | null>(null)
  ended.addEventListener(
    'abort',
    () => {
      draft.value = null
      secret.value = null
    },
    { once: true }
  )
  return {
    draft,
    secret,
    isUnfinished: computed(() => draft.value !== null || secret.value !== null),
    changes: signal(0)
  }
}

export const newDraft = (project: string, events: readonly EventType[]): WebhookDraft => ({
  project,
  id: '',
  url: '',
  events,
  description: '',
  isChanged: false
})

export const draftOf = ({ project_id: project, id, url, events, description }: Webhook): WebhookDraft => ({
  project,
  id,
  url,
  events,
  description,
  isChanged: false
})
