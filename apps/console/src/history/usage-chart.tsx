import type { JSX } from 'preact'
import type { GenerationUsageResponse } from '@filewright/client/browser'
import { answererOf } from '@filewright/contracts'
import { formatNumber } from '../format.js'
import { daysOf } from './days.js'
import { historyTexts } from './history-texts.js'

const HEIGHT = 96
const STEP = 16
const BAR = 12

/** Bars of tokens per day. The table below has the same numbers, so the drawing is an image with one name. */
export function UsageChart({ of }: { of: GenerationUsageResponse }): JSX.Element {
  const days = daysOf(of, new Date())
  const most = Math.max(1, ...days.map(({ tokens }) => tokens))
  const requests = days.reduce((sum, day) => sum + day.requests, 0)
  const tokens = days.reduce((sum, day) => sum + day.tokens, 0)
  return (
    <section aria-labelledby="history-usage">
      <h2 id="history-usage">{historyTexts.usage(of.days)}</h2>
      <p class="muted">{historyTexts.total(requests, tokens)}</p>
      {of.usage.length > 0 && (
        <>
          <svg
            class="usage-chart"
            role="img"
            aria-label={historyTexts.chart}
            viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
            preserveAspectRatio="none"
          >
            {days.map((day, i) => {
              // A day with requests is seen, however few tokens they took.
              const height = day.requests === 0 ? 0 : Math.max(2, (day.tokens / most) * HEIGHT)
              return (
                <rect key={day.day} x={i * STEP + 2} y={HEIGHT - height} width={BAR} height={height}>
                  <title>{historyTexts.bar(day.day, day.tokens, day.requests)}</title>
                </rect>
              )
            })}
          </svg>
          <p class="usage-days muted" aria-hidden="true">
            <span>{days[0]?.day}</span>
            <span>{historyTexts.most(most)}</span>
            <span>{days.at(-1)?.day}</span>
          </p>
          <details>
            <summary>{historyTexts.table}</summary>
            <table class="plain-table">
              <thead>
                <tr>
                  <th scope="col">{historyTexts.day}</th>
                  <th scope="col">{historyTexts.answerer}</th>
                  <th scope="col">{historyTexts.requests}</th>
                  <th scope="col">{historyTexts.tokens}</th>
                </tr>
              </thead>
              <tbody>
                {of.usage.toReversed().map((each) => (
                  <tr key={`${each.day} ${answererOf(each)}`}>
                    <th scope="row">{each.day}</th>
                    <td>{answererOf(each) || historyTexts.noAnswer}</td>
                    <td>{formatNumber(each.requests)}</td>
                    <td>{formatNumber(each.tokens)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </>
      )}
    </section>
  )
}
