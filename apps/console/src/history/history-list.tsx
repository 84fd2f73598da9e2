import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { GenerationSummary } from '@filewright/client/browser'
import { answererOf } from '@filewright/contracts'
import { useApi } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { formatNumber, formatTime } from '../format.js'
import { formatRoute } from '../routes.js'
import { EmptyState } from '../ui/empty-state.js'
import { LoadProblem } from '../ui/load-problem.js'
import { Skeleton } from '../ui/skeleton.js'
import { useLoaded } from '../ui/use-loaded.js'
import { useTitle } from '../ui/use-title.js'
import { historyTexts } from './history-texts.js'
import { UsageChart } from './usage-chart.js'

const PAGE_SIZE = 50

interface Further {
  generations: readonly GenerationSummary[]
  next: string | null
}

export function HistoryList(): JSX.Element {
  const api = useApi()
  useTitle([historyTexts.title])
  const [further, setFurther] = useState<Further | null>(null)
  const [problem, setProblem] = useState('')
  const [isLoadingMore, setLoadingMore] = useState(false)
  const history = useLoaded('history', async (signal) => {
    const [first, usage] = await Promise.all([
      api.ai.history({ limit: PAGE_SIZE, signal }),
      api.ai.usage({ signal })
    ])
    return { first, usage }
  })
  const { first, usage } = history.value ?? {}
  const generations = [...(first?.generations ?? []), ...(further?.generations ?? [])]
  const next = further === null ? (first?.next ?? null) : further.next

  async function showMore(after: string): Promise<void> {
    setLoadingMore(true)
    setProblem('')
    try {
      const page = await api.ai.history({ after, limit: PAGE_SIZE })
      setFurther((before) => ({
        generations: [...(before?.generations ?? []), ...page.generations],
        next: page.next
      }))
    } catch (error) {
      setProblem(explainError(error))
    } finally {
      setLoadingMore(false)
    }
  }

  return (
    <main id="main" tabIndex={-1} class="page service">
      <h1>{historyTexts.title}</h1>
      <p class="muted">{historyTexts.lead}</p>
      <LoadProblem of={history} lead={historyTexts.failed} />
      {history.value === undefined && history.isLoading && <Skeleton rows={8} />}
      {first !== undefined && generations.length === 0 && (
        <EmptyState icon="code" title={historyTexts.empty} lead={historyTexts.emptyLead}>
          <a class="button" href={formatRoute({ view: 'code', tab: 'generate', file: '' })}>
            {historyTexts.start}
          </a>
        </EmptyState>
      )}
      {usage !== undefined && generations.length > 0 && (
        <>
          <UsageChart of={usage} />
          <Requests of={generations} />
        </>
      )}
      <p class="problem" role="alert">
        {problem}
      </p>
      {next !== null && (
        <div class="actions">
          <button
            type="button"
            disabled={isLoadingMore}
            onClick={() => {
              void showMore(next)
            }}
          >
            {historyTexts.more}
          </button>
        </div>
      )}
    </main>
  )
}

function Requests({ of }: { of: readonly GenerationSummary[] }): JSX.Element {
  return (
    <section aria-labelledby="history-list">
      <h2 id="history-list">{historyTexts.list}</h2>
      <table class="plain-table history">
        <thead>
          <tr>
            <th scope="col">{historyTexts.started}</th>
            <th scope="col">{historyTexts.task}</th>
            <th scope="col" class="column-model">
              {historyTexts.answerer}
            </th>
            <th scope="col">{historyTexts.status}</th>
            <th scope="col" class="column-number">
              {historyTexts.tokens}
            </th>
            <th scope="col" class="column-number">
              {historyTexts.duration}
            </th>
          </tr>
        </thead>
        <tbody>
          {of.map((each) => (
            <tr key={each.id}>
              <th scope="row">
                <a href={formatRoute({ view: 'history', request: each.id })}>
                  <time dateTime={each.started_at}>{formatTime(each.started_at)}</time>
                </a>
              </th>
              <td>{historyTexts.kinds[each.kind]}</td>
              <td class="column-model">{answererOf(each)}</td>
              <td data-status={each.status}>{historyTexts.statuses[each.status]}</td>
              <td class="column-number">{formatNumber(each.tokens_used)}</td>
              <td class="column-number">
                {each.duration_ms === null ? '' : historyTexts.seconds(each.duration_ms)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
