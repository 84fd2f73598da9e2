import type { JSX } from 'preact'
import type { Recall } from '@filewright/client/browser'
import { useApi } from '../console-context.js'
import { formatTime, joinFolder } from '../format.js'
import { texts } from '../texts.js'
import { useLoaded } from '../ui/use-loaded.js'

const DAY_MS = 86_400_000
/** Older withdrawals are no news. */
const SHOWN_DAYS = 30
const MAX_SHOWN = 20

/** Says which files of the project turned out to be malware. Always rendered, so that screen readers announce it. */
export function RecallsBanner({ project }: { project: string }): JSX.Element {
  const api = useApi()
  // A service that does not answer, or an older one, says nothing.
  const recalls = useLoaded(`recalls ${project}`, async (signal) => {
    const found: Recall[] = []
    const since = new Date(Date.now() - SHOWN_DAYS * DAY_MS)
    for await (const recall of api.recalls({ projectId: project, since, signal })) found.push(recall)
    return found.toReversed()
  })
  const found = recalls.value ?? []
  return (
    <div role="status">
      {found.length > 0 && (
        <details class="problem banner">
          <summary>{texts.recalls.summary(found.length)}</summary>
          <p>{texts.recalls.advice}</p>
          <ul>
            {found.slice(0, MAX_SHOWN).map((recall) => (
              <li key={recall.id}>
                <bdi>
                  {recall.name === null
                    ? texts.recalls.foreign(recall.sha256)
                    : joinFolder(recall.folder ?? '', recall.name)}
                </bdi>
                {': '}
                {texts.recalls.found(recall.signature, formatTime(recall.withdrawn_at), recall.downloaders)}
              </li>
            ))}
          </ul>
          {found.length > MAX_SHOWN && <p>{texts.recalls.more(found.length - MAX_SHOWN)}</p>}
        </details>
      )}
    </div>
  )
}
