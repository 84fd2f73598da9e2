import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { NotFoundError, type ReplayRequest, type Webhook } from '@filewright/client/browser'
import { Choice } from '../code/option-fields.js'
import { useSession } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { formatTime } from '../format.js'
import { formatRoute, webhooksRoute, type WebhooksRoute } from '../routes.js'
import { EmptyState } from '../ui/empty-state.js'
import { Icon } from '../ui/icon.js'
import { LoadProblem } from '../ui/load-problem.js'
import { Skeleton } from '../ui/skeleton.js'
import { useLoaded } from '../ui/use-loaded.js'
import { useTitle } from '../ui/use-title.js'
import { DeleteWebhookDialog } from './delete-webhook-dialog.js'
import { DeliveryLog } from './delivery-log.js'
import { ReplayDialog } from './replay-dialog.js'
import { RotateDialog } from './rotate-dialog.js'
import { useDeliveries } from './use-deliveries.js'
import { WebhookState } from './webhook-state.js'
import { webhookTexts } from './webhook-texts.js'
import { draftOf } from '../session/webhook-work.js'

type Asking = 'rotate' | 'delete' | 'replay' | null

export function WebhookPage({ route }: { route: WebhooksRoute }): JSX.Element {
  const { api, webhooks: work, replace } = useSession()
  const { project, webhook: id, state } = route
  const [asking, setAsking] = useState<Asking>(null)
  const [range, setRange] = useState({ from: '', to: '' })
  const [isWorking, setWorking] = useState(false)
  const [outcome, setOutcome] = useState('')
  const [problem, setProblem] = useState('')
  const loaded = useLoaded(
    `${id} ${work.changes.value}`,
    async (signal) => await api.webhooks.get(id, { signal })
  )
  const deliveries = useDeliveries(route)
  const webhook = loaded.value
  const isMissing = loaded.error instanceof NotFoundError
  useTitle([isMissing ? webhookTexts.missing : (webhook?.url ?? ''), webhookTexts.title, project])

  /** @returns whether it worked */
  async function run(call: () => Promise<string>): Promise<boolean> {
    setWorking(true)
    setOutcome('')
    setProblem('')
    try {
      setOutcome(await call())
      return true
    } catch (error) {
      setProblem(explainError(error))
      return false
    } finally {
      setWorking(false)
    }
  }

  const setEnabled = async ({ enabled }: Webhook): Promise<string> => {
    await api.webhooks.change(id, { enabled: !enabled })
    work.changes.value++
    return enabled ? webhookTexts.nowDisabled : webhookTexts.nowEnabled
  }
  const replay = async (request: ReplayRequest): Promise<string> => {
    const events = await api.webhooks.replay(id, request)
    deliveries.restart()
    const isWaiting = events > 0 && webhook?.enabled === false
    return [webhookTexts.replay.done(events), isWaiting ? webhookTexts.replay.whileDisabled : ''].join(' ')
  }
  const close = (): void => {
    setAsking(null)
  }

  if (isMissing) {
    return (
      <main id="main" tabIndex={-1} class="page">
        <h1 class="visually-hidden">{webhookTexts.missing}</h1>
        <EmptyState icon="hook" title={webhookTexts.missing} lead={webhookTexts.missingLead}>
          <a class="button" href={formatRoute(webhooksRoute(project))}>
            {webhookTexts.toList}
          </a>
        </EmptyState>
      </main>
    )
  }
  return (
    <main id="main" tabIndex={-1} class="page webhook-page">
      <div class="page-head">
        <h1>
          <bdi>{webhook?.url ?? webhookTexts.title}</bdi>
        </h1>
        <div class="actions">
          <a class="button" href={formatRoute(webhooksRoute(project))}>
            <Icon name="hook" />
            {webhookTexts.toList}
          </a>
          {webhook !== undefined && (
            <>
              <button
                type="button"
                onClick={() => {
                  work.draft.value = draftOf(webhook)
                }}
              >
                {webhookTexts.change}
              </button>
              <button
                type="button"
                disabled={isWorking}
                onClick={() => {
                  void run(async () => await setEnabled(webhook))
                }}
              >
                {webhook.enabled ? webhookTexts.disable : webhookTexts.enable}
              </button>
              <button type="button" onClick={() => setAsking('rotate')}>
                {webhookTexts.rotate}
              </button>
              <button type="button" class="danger" onClick={() => setAsking('delete')}>
                <Icon name="trash" />
                {webhookTexts.delete}
              </button>
            </>
          )}
        </div>
      </div>
      <LoadProblem of={loaded} lead={webhookTexts.failed} />
      <p role="status">{outcome}</p>
      <p class="problem" role="alert">
        {problem}
      </p>
      {webhook === undefined ? loaded.isLoading && <Skeleton rows={4} /> : <WebhookFacts of={webhook} />}
      <section aria-labelledby="deliveries">
        <div class="list-head">
          <h2 id="deliveries">{webhookTexts.deliveries.title}</h2>
          <div class="actions">
            <Choice
              label={webhookTexts.deliveries.filter}
              value={state}
              options={webhookTexts.deliveries.filters}
              onChange={(to) => {
                replace({ ...route, state: to })
              }}
            />
            <button type="button" disabled={webhook === undefined} onClick={() => setAsking('replay')}>
              <Icon name="retry" />
              {webhookTexts.replay.open}
            </button>
          </div>
        </div>
        <LoadProblem of={deliveries.first} lead={webhookTexts.deliveries.failed} />
        {deliveries.first.value === undefined && deliveries.first.isLoading && <Skeleton rows={4} />}
        {deliveries.first.value?.length === 0 && (
          <p class="muted">
            {state === '' ? webhookTexts.deliveries.none : webhookTexts.deliveries.noneWith}
          </p>
        )}
        {deliveries.shown.length > 0 && (
          <DeliveryLog
            deliveries={deliveries.shown}
            isWorking={isWorking}
            onReplay={(event) => {
              void run(async () => await replay({ event_id: event }))
            }}
          />
        )}
        <p class="problem" role="alert">
          {deliveries.problem}
        </p>
        {deliveries.hasMore && (
          <button
            type="button"
            disabled={deliveries.isLoadingMore}
            onClick={() => {
              void deliveries.showMore()
            }}
          >
            {webhookTexts.deliveries.more}
          </button>
        )}
      </section>
      {asking === 'rotate' && webhook !== undefined && <RotateDialog webhook={webhook} onClose={close} />}
      {asking === 'delete' && webhook !== undefined && (
        <DeleteWebhookDialog webhook={webhook} onClose={close} />
      )}
      {asking === 'replay' && (
        <ReplayDialog
          range={range}
          onRange={setRange}
          onReplay={async (request) => {
            setOutcome(await replay(request))
            close()
          }}
          onClose={close}
        />
      )}
    </main>
  )
}

function WebhookFacts({ of: webhook }: { of: Webhook }): JSX.Element {
  const { events, description, created_at: createdAt, id } = webhook
  return (
    <dl class="facts webhook-facts">
      <div>
        <dt>{webhookTexts.state}</dt>
        <dd>
          <WebhookState of={webhook} />
        </dd>
      </div>
      <div>
        <dt>{webhookTexts.events}</dt>
        <dd>{events.join(', ')}</dd>
      </div>
      <div>
        <dt>{webhookTexts.description}</dt>
        <dd>
          <bdi>{description === '' ? webhookTexts.noDescription : description}</bdi>
        </dd>
      </div>
      <div>
        <dt>{webhookTexts.created}</dt>
        <dd>
          <time dateTime={createdAt}>{formatTime(createdAt)}</time>
        </dd>
      </div>
      <div>
        <dt>{webhookTexts.id}</dt>
        <dd>
          <code>{id}</code>
        </dd>
      </div>
    </dl>
  )
}
