import type { JSX } from 'preact'
import { allowanceOf, partNoteSentences } from '@filewright/contracts'
import type { ModelRecord, ServicePart, ServiceResponse } from '@filewright/client/browser'
import { useSession } from '../console-context.js'
import { serviceTexts } from './service-texts.js'
import { LoadProblem } from '../ui/load-problem.js'
import { useEvery } from '../ui/use-every.js'
import { Skeleton } from '../ui/skeleton.js'
import { useLoaded } from '../ui/use-loaded.js'
import { useTitle } from '../ui/use-title.js'
import { Limits } from './limits.js'

const REFRESH_MS = 10_000

export function ServiceView(): JSX.Element {
  const { api, headers, aiAllowance, parts } = useSession()
  const service = useLoaded('service', async (signal) => {
    const [status, models] = await Promise.all([api.service({ signal }), api.ai.models({ signal })])
    parts.value = status.parts
    return { status, models, requests: headers.value === null ? null : allowanceOf(headers.value) }
  })
  useEvery(REFRESH_MS, service.reload)
  useTitle([serviceTexts.title])

  return (
    <main id="main" tabIndex={-1} class="page service">
      <h1>{serviceTexts.title}</h1>
      <LoadProblem of={service} />
      {service.value === undefined && service.isLoading && <Skeleton rows={6} />}
      {service.value !== undefined && (
        <>
          <p class="service-lead" data-state={service.value.status.status} role="status">
            {leadOf(service.value.status)}
          </p>
          <Parts parts={service.value.status.parts} />
          <Models models={service.value.models} />
          <Limits
            status={service.value.status}
            requests={service.value.requests}
            aiRequests={aiAllowance.value}
          />
          <section aria-labelledby="service-more">
            <h2 id="service-more">{serviceTexts.more}</h2>
            <p>
              <a href="docs">{serviceTexts.reference}</a>
            </p>
            <p class="muted">{serviceTexts.dashboard}</p>
          </section>
        </>
      )}
    </main>
  )
}

function leadOf({ status, parts }: ServiceResponse): string {
  return serviceTexts.lead[status](parts.filter(({ state }) => state !== 'ok').length, parts.length)
}

function Parts({ parts }: { parts: readonly ServicePart[] }): JSX.Element {
  return (
    <section aria-labelledby="service-parts">
      <h2 id="service-parts">{serviceTexts.parts}</h2>
      <ul class="part-list">
        {parts.map(({ name, state, note }) => (
          <li key={name} data-state={state}>
            <span class="part-state">{serviceTexts.states[state]}</span>
            <div>
              <h3>{serviceTexts.names[name]}</h3>
              <p class="muted">{serviceTexts.does[name]}</p>
              {note !== undefined && <p class="part-detail">{partNoteSentences[note]}</p>}
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
      <h2 id="service-models">{serviceTexts.models}</h2>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{serviceTexts.model}</th>
            <th scope="col">{serviceTexts.capabilities}</th>
            <th scope="col">{serviceTexts.context}</th>
          </tr>
        </thead>
        <tbody>
          {models.map(({ id, name, capabilities, max_tokens: tokens }) => (
            <tr key={id}>
              <th scope="row">
                {name} <code class="muted">{id}</code>
              </th>
              <td>{capabilities.join(', ')}</td>
              <td>{serviceTexts.tokens(tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
