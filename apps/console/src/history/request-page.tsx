import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { NotFoundError, type GenerationDetails } from '@filewright/client/browser'
import { answererOf } from '@filewright/contracts'
import { useSession } from '../console-context.js'
import { CodeViewer } from '../editor/code-viewer.js'
import { formatNumber, formatTime } from '../format.js'
import { formatRoute } from '../routes.js'
import { texts } from '../texts.js'
import { ConfirmDialog } from '../ui/confirm-dialog.js'
import { EmptyState } from '../ui/empty-state.js'
import { Fact } from '../ui/fact.js'
import { LoadProblem } from '../ui/load-problem.js'
import { Skeleton } from '../ui/skeleton.js'
import { useLoaded } from '../ui/use-loaded.js'
import { useTitle } from '../ui/use-title.js'
import { historyTexts } from './history-texts.js'
import { RequestResult } from './request-result.js'
import { runAgain } from './run-again.js'

/** One request to a model or the analyzers, with what it asked for and its result where they are kept. */
export function RequestPage({ id }: { id: string }): JSX.Element {
  const { api } = useSession()
  const loaded = useLoaded(id, async (signal) => await api.ai.recorded(id, { signal }))
  const details = loaded.value
  const title = details === undefined ? historyTexts.title : historyTexts.kinds[details.kind]
  useTitle([title, historyTexts.title])
  const back = (
    <a class="button" href={formatRoute({ view: 'history', request: '' })}>
      {historyTexts.back}
    </a>
  )
  return (
    <main id="main" tabIndex={-1} class="page service request">
      {loaded.error instanceof NotFoundError ? (
        <>
          <h1 class="visually-hidden">{historyTexts.title}</h1>
          <EmptyState icon="history" title={historyTexts.missing} lead={historyTexts.missingLead}>
            {back}
          </EmptyState>
        </>
      ) : (
        <>
          <div class="page-head">
            <h1>{title}</h1>
            <div class="actions">
              {back}
              {details !== undefined && details.request !== null && <RunAgain details={details} />}
            </div>
          </div>
          <LoadProblem of={loaded} lead={historyTexts.notLoaded} />
          {details === undefined && loaded.isLoading && <Skeleton rows={8} />}
          {details !== undefined && <Request of={details} />}
        </>
      )}
    </main>
  )
}

function RunAgain({ details }: { details: GenerationDetails }): JSX.Element {
  const session = useSession()
  const { workspace } = session
  const [isAsking, setAsking] = useState(false)
  const run = (): void => {
    runAgain(details, session)
  }
  return (
    <>
      <button
        type="button"
        class="primary"
        onClick={() => {
          if (workspace.isDirty.value) setAsking(true)
          else run()
        }}
      >
        {historyTexts.again}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={historyTexts.replaceTitle(workspace.name.value || texts.code.untitled)}
          confirm={texts.code.discard}
          cancel={texts.code.keepEditing}
          onConfirm={run}
          onClose={() => {
            setAsking(false)
          }}
        >
          {historyTexts.replaceLead}
        </ConfirmDialog>
      )}
    </>
  )
}

function Request({ of: details }: { of: GenerationDetails }): JSX.Element {
  const { kind, request, status, tokens_used: tokens, duration_ms: ms, started_at: at } = details
  const { prompt, code, ...options } = request ?? {}
  const names = Object.keys(historyTexts.options) as Array<keyof typeof historyTexts.options>
  return (
    <>
      <dl class="facts">
        <Fact name={historyTexts.started}>
          <time dateTime={at}>{formatTime(at)}</time>
        </Fact>
        <Fact name={historyTexts.status}>
          <span data-status={status}>{historyTexts.statuses[status]}</span>
        </Fact>
        <Fact name={historyTexts.answerer}>{answererOf(details) || historyTexts.noAnswer}</Fact>
        <Fact name={historyTexts.tokens}>{formatNumber(tokens)}</Fact>
        {ms !== null && <Fact name={historyTexts.duration}>{historyTexts.seconds(ms)}</Fact>}
        {names.map((name) => {
          const value = options[name]
          return value === undefined || value === '' ? null : (
            <Fact key={name} name={historyTexts.options[name]}>
              <bdi>{value}</bdi>
            </Fact>
          )
        })}
      </dl>
      {request === null ? (
        <p class="note">{historyTexts.notKept}</p>
      ) : (
        <>
          <p class="help">{historyTexts.againHelp[kind]}</p>
          {prompt !== undefined && (
            <section aria-labelledby="request-prompt">
              <h2 id="request-prompt">{historyTexts.prompt}</h2>
              <p class="request-prompt" dir="auto">
                {prompt}
              </p>
            </section>
          )}
          {code !== undefined && kind !== 'optimize' && (
            <section aria-labelledby="request-code">
              <h2 id="request-code">{historyTexts.code}</h2>
              <div class="request-code">
                <CodeViewer text={code} name={options.language ?? ''} label={historyTexts.code} />
              </div>
            </section>
          )}
          <RequestResult of={details} />
        </>
      )}
    </>
  )
}
