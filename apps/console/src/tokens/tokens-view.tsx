import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ForbiddenError, type TokenInfo } from '@filewright/client/browser'
import { expiryText } from '@filewright/contracts'
import { useSession } from '../console-context.js'
import { formatBytes, formatTime } from '../format.js'
import { EmptyState } from '../ui/empty-state.js'
import { Icon } from '../ui/icon.js'
import { LoadProblem } from '../ui/load-problem.js'
import { Skeleton } from '../ui/skeleton.js'
import { useLoaded } from '../ui/use-loaded.js'
import { useTitle } from '../ui/use-title.js'
import { RevokeDialog } from './revoke-dialog.js'
import { tokenTexts } from './token-texts.js'

const PAGE_SIZE = 50

/** For operators: all tokens, without their secrets. */
export function TokensView(): JSX.Element {
  const { api, tokens: work } = useSession()
  useTitle([tokenTexts.title])
  const [pages, setPages] = useState(1)
  const [toRevoke, setToRevoke] = useState<TokenInfo | null>(null)
  const service = useLoaded('service', async (signal) => await api.service({ signal }))
  const list = useLoaded(`${work.changes.value} ${pages}`, async (signal) => {
    const tokens: TokenInfo[] = []
    let next: string | null = null
    for (let page = 0; page < pages && (page === 0 || next !== null); page++) {
      const answer = await api.tokens.list({
        ...(next === null ? {} : { after: next }),
        limit: PAGE_SIZE,
        signal
      })
      tokens.push(...answer.tokens)
      next = answer.next
    }
    return { tokens, next }
  })
  const { tokens = [], next = null } = list.value ?? {}

  if (list.error instanceof ForbiddenError) {
    return (
      <main id="main" tabIndex={-1} class="page">
        <h1>{tokenTexts.title}</h1>
        <EmptyState icon="shield" title={tokenTexts.notOperator} lead={tokenTexts.notOperatorLead} />
      </main>
    )
  }
  return (
    <main id="main" tabIndex={-1} class="page">
      <div class="page-head">
        <h1>{tokenTexts.title}</h1>
        <div class="actions">
          <button
            type="button"
            class="primary"
            onClick={() => {
              work.isFormOpen.value = true
            }}
          >
            <Icon name="plus" />
            {tokenTexts.create}
          </button>
        </div>
      </div>
      <p class="muted">{tokenTexts.lead}</p>
      <LoadProblem of={list} lead={tokenTexts.failed} />
      {list.value === undefined && list.isLoading && <Skeleton rows={6} />}
      {tokens.length > 0 && <TokenTable of={tokens} own={service.value?.token?.id} onRevoke={setToRevoke} />}
      {next !== null && (
        <div class="actions">
          <button
            type="button"
            disabled={list.isLoading}
            onClick={() => {
              setPages(pages + 1)
            }}
          >
            {tokenTexts.more}
          </button>
        </div>
      )}
      {toRevoke !== null && (
        <RevokeDialog
          token={toRevoke}
          onClose={() => {
            setToRevoke(null)
          }}
        />
      )}
    </main>
  )
}

interface TokenTableProps {
  of: readonly TokenInfo[]
  /** The token of this session; undefined while it is not known. */
  own: string | undefined
  onRevoke: (token: TokenInfo) => void
}

function TokenTable({ of, own, onRevoke }: TokenTableProps): JSX.Element {
  const { columns } = tokenTexts
  return (
    <table class="plain-table tokens">
      <thead>
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col">{columns.projects}</th>
          <th scope="col">{columns.expires}</th>
          <th scope="col">{columns.quota}</th>
          <th scope="col">{columns.created}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {of.map((token) => (
          <tr key={token.id} data-ended={!isLive(token)}>
            <th scope="row">
              <bdi>{token.name}</bdi>
              {token.is_operator && <span class="tag">{tokenTexts.operator}</span>}
            </th>
            <td data-label={columns.projects}>
              <bdi>{token.projects === null ? tokenTexts.allProjects : token.projects.join(', ')}</bdi>
            </td>
            <td data-label={columns.expires}>{stateOf(token)}</td>
            <td data-label={columns.quota}>{quotaOf(token)}</td>
            <td data-label={columns.created}>{formatTime(token.created_at)}</td>
            <td class="column-action">
              {token.id === own ? (
                <span class="muted" title={tokenTexts.ownHelp}>
                  {tokenTexts.own}
                </span>
              ) : (
                isLive(token) &&
                own !== undefined && (
                  <button
                    type="button"
                    class="link danger"
                    aria-label={tokenTexts.revokeOne(token.name)}
                    onClick={() => {
                      onRevoke(token)
                    }}
                  >
                    {tokenTexts.revoke}
                  </button>
                )
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const isExpired = ({ expires_at: at }: TokenInfo): boolean => at !== null && Date.parse(at) <= Date.now()

const isLive = (token: TokenInfo): boolean => token.revoked_at === null && !isExpired(token)

function stateOf(token: TokenInfo): string {
  if (token.revoked_at !== null) return tokenTexts.revokedAt(formatTime(token.revoked_at))
  return isExpired(token) ? tokenTexts.expired : expiryText(token.expires_at, formatTime)
}

function quotaOf({ max_files: files, max_bytes: bytes }: TokenInfo): string {
  const limits = [
    ...(files === null ? [] : [tokenTexts.files(files)]),
    ...(bytes === null ? [] : [formatBytes(bytes)])
  ]
  return limits.length === 0 ? tokenTexts.noQuota : limits.join(', ')
}
