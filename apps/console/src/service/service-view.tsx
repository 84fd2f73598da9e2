import type { JSX } from 'preact'
import type { ModelRecord, ServicePart, ServiceResponse } from '@filewright/client/browser'
import { useApi, useConsole } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { formatBytes, formatNumber } from '../format.js'
import { texts } from '../texts.js'
import { useEvery } from '../ui/use-every.js'
import { useLoaded } from '../ui/use-loaded.js'

const REFRESH_MS = 10_000

export function ServiceView(): JSX.Element {
  const api = useApi()
  const { session } = useConsole()
  const service = useLoaded('service', async (signal) => {
    const [status, models] = await Promise.all([api.service({ signal }), api.ai.models({ signal })])
    return { status, models, left: session.answer.value?.headers.get('ratelimit-remaining') ?? null }
  })
  useEvery(REFRESH_MS, service.reload)

  return (
    <main id="main" tabIndex={-1} class="page service">
      <h1>{texts.service.title}</h1>
      {service.error !== undefined && (
        <p class="problem banner" role="alert">
          {explainError(service.error)}{' '}
          <button type="button" class="link" onClick={service.reload}>
            {texts.tryAgain}
          </button>
        </p>
      )}
      {service.value !== undefined && (
        <>
          <p class="service-lead" data-state={service.value.status.status} role="status">
            {texts.service.lead[service.value.status.status]}
          </p>
          <Parts parts={service.value.status.parts} />
          <Models models={service.value.models} />
          <Limits limits={service.value.status.limits} left={service.value.left} />
          <Links dashboard={service.value.status.dashboard_url} />
        </>
      )}
    </main>
  )
}

function Parts({ parts }: { parts: readonly ServicePart[] }): JSX.Element {
  return (
    <section aria-labelledby="service-parts">
      <h2 id="service-parts">{texts.service.parts}</h2>
      <ul class="part-list">
        {parts.map(({ name, state, detail }) => (
          <li key={name} data-state={state}>
            <span class="part-state">{texts.service.states[state]}</span>
            <div>
              <h3>{texts.service.names[name]}</h3>
              <p class="muted">{texts.service.does[name]}</p>
              {detail !== undefined && (
                <p class="part-detail">{detail === 'sandbox' ? texts.service.sandbox : detail}</p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Models({ models }: { models: readonly ModelRecord[] }): JSX.Element {
  return (
    <section aria-labelledby="service-models">
      <h2 id="service-models">{texts.service.models}</h2>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{texts.service.model}</th>
            <th scope="col">{texts.service.capabilities}</th>
            <th scope="col">{texts.service.context}</th>
          </tr>
        </thead>
        <tbody>
          {models.map(({ id, name, capabilities, max_tokens: tokens }) => (
            <tr key={id}>
              <th scope="row">
                {name} <code class="muted">{id}</code>
              </th>
              <td>{capabilities.join(', ')}</td>
              <td>{texts.service.tokens(tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Limits({ limits, left }: { limits: ServiceResponse['limits']; left: string | null }): JSX.Element {
  const shown = (limit: number): string => (limit === 0 ? texts.service.noLimit : formatNumber(limit))
  const requests = limits.requests_per_minute
  const rows: Array<[string, string]> = [
    [
      texts.service.requests,
      left === null || requests === 0 ? shown(requests) : texts.service.left(Number(left), requests)
    ],
    [texts.service.aiRequests, shown(limits.ai_requests_per_minute)],
    [texts.service.uploads, shown(limits.uploads_at_once)],
    [texts.service.fileSize, formatBytes(limits.file_bytes)]
  ]
  return (
    <section aria-labelledby="service-limits">
      <h2 id="service-limits">{texts.service.limits}</h2>
      <dl class="limit-list">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Links({ dashboard }: { dashboard: string | undefined }): JSX.Element {
  return (
    <section aria-labelledby="service-more">
      <h2 id="service-more">{texts.service.more}</h2>
      <ul class="bullets">
        <li>
          <a href="docs">{texts.service.reference}</a>
        </li>
        {dashboard !== undefined && (
          <li>
            <a href={dashboard}>{texts.service.dashboard}</a>{' '}
            <span class="muted">{texts.service.dashboardHelp}</span>
          </li>
        )}
      </ul>
    </section>
  )
}
