import type { JSX } from 'preact'
import type { WebhooksRoute } from '../routes.js'
import { WebhookList } from './webhook-list.js'
import { WebhookPage } from './webhook-page.js'

/** The webhooks of a project, or one of them with its deliveries. */
export function WebhooksView({ route }: { route: WebhooksRoute }): JSX.Element {
  return route.webhook === '' ? (
    <WebhookList key={route.project} project={route.project} />
  ) : (
    <WebhookPage key={route.webhook} route={route} />
  )
}
