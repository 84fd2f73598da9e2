import type { JSX } from 'preact'
import type { Delivery, Filewright, Webhook } from '@filewright/client/browser'
import { useSession } from '../console-context.js'
import { filesRoute, formatRoute, webhooksRoute } from '../routes.js'
import { EmptyState } from '../ui/empty-state.js'
import { Icon } from '../ui/icon.js'
import { LoadProblem } from '../ui/load-problem.js'
import { Skeleton } from '../ui/skeleton.js'
import { useLoaded } from '../ui/use-loaded.js'
import { useTitle } from '../ui/use-title.js'
import { DeliveryResult } from './delivery-result.js'
import { WebhookState } from './webhook-state.js'
import { eventNames, webhookTexts } from './webhook-texts.js'
import { newDraft } from '../session/webhook-work.js'

interface Listed extends Webhook {
  last: Delivery | undefined
}

/** A project has at most 20. */
async function listWebhooks(api: Filewright, projectId: string, signal: AbortSignal): Promise<Listed[]> {
  const webhooks = await api.webhooks.list({ projectId, signal })
  return await Promise.all(
    webhooks.map(async (webhook) => {
      const [last] = await api.webhooks.deliveries(webhook.id, { limit: 1, signal })
      return { ...webhook, last }
    })
  )
}

export function WebhookList({ project }: { project: string }): JSX.Element {
  const { api, webhooks: work } = useSession()
  useTitle([webhookTexts.title, project])
  const list = useLoaded(
    `${project} ${work.changes.value}`,
    async (signal) => await listWebhooks(api, project, signal)
  )
  const create = (
    <button
      type="button"
      class="primary"
      onClick={() => {
        work.draft.value = newDraft(project, eventNames)
      }}
    >
      <Icon name="plus" />
      {webhookTexts.create}
    </button>
  )

  return (
    <main id="main" tabIndex={-1} class="page">
      <div class="page-head">
        <h1>
          <bdi>{webhookTexts.titleOf(project)}</bdi>
        </h1>
        <div class="actions">
          <a class="button" href={formatRoute(filesRoute(project))}>
            <Icon name="folder" />
            {webhookTexts.back(project)}
          </a>
          {(list.value?.length ?? 0) > 0 && create}
        </div>
      </div>
      <p class="muted">{webhookTexts.lead}</p>
      <LoadProblem of={list} lead={webhookTexts.failed} />
      {list.value === undefined && list.isLoading && <Skeleton rows={4} />}
      {list.value?.length === 0 && (
        <EmptyState icon="hook" title={webhookTexts.empty} lead={webhookTexts.emptyLead}>
          {create}
        </EmptyState>
      )}
      {list.value !== undefined && list.value.length > 0 && (
        <ul class="webhook-list">
          {list.value.map((webhook) => (
            <li key={webhook.id}>
              <h2>
                <a href={formatRoute(webhooksRoute(project, webhook.id))}>
                  <bdi>{webhook.url}</bdi>
                </a>
              </h2>
              <WebhookState of={webhook} />
              {webhook.description !== '' && (
                <p>
                  <bdi>{webhook.description}</bdi>
                </p>
              )}
              <p class="muted">{webhook.events.join(', ')}</p>
              <p class="webhook-last">
                {webhook.last === undefined ? (
                  <span class="muted">{webhookTexts.noDelivery}</span>
                ) : (
                  <>
                    <span class="muted">{webhookTexts.last}: </span>
                    <DeliveryResult of={webhook.last} />
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </main>
  )
}
