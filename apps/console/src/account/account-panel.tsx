import type { JSX } from 'preact'
import { allowanceOf, expiryText, quotaText } from '@filewright/contracts'
import { useSession } from '../console-context.js'
import { formatBytes, formatNumber, formatTime } from '../format.js'
import { LoadProblem } from '../ui/load-problem.js'
import { Skeleton } from '../ui/skeleton.js'
import { useLoaded } from '../ui/use-loaded.js'
import { accountTexts } from './account-texts.js'

/** Who is signed in, and how much is left. */
export function AccountPanel(): JSX.Element {
  const { api, headers } = useSession()
  const service = useLoaded('account', async (signal) => {
    const status = await api.service({ signal })
    return { status, allowance: headers.value === null ? null : allowanceOf(headers.value) }
  })
  if (service.value === undefined) {
    return service.isLoading ? <Skeleton rows={5} /> : <LoadProblem of={service} />
  }
  const { status, allowance } = service.value
  const { token, usage } = status
  return (
    <dl class="facts">
      <Fact name={accountTexts.token} value={token.name} />
      {token.projects !== undefined && (
        <Fact
          name={accountTexts.projects}
          value={
            token.projects === null ? accountTexts.allProjects : accountTexts.projectNames(token.projects)
          }
        />
      )}
      {token.expires_at !== undefined && (
        <Fact name={accountTexts.expires} value={expiryText(token.expires_at, formatTime)} />
      )}
      <Quota name={accountTexts.files} used={usage.files} most={usage.max_files} format={formatNumber} />
      <Quota name={accountTexts.storage} used={usage.bytes} most={usage.max_bytes} format={formatBytes} />
      <Fact
        name={accountTexts.requests}
        value={
          allowance === null
            ? accountTexts.unlimited
            : accountTexts.of(formatNumber(allowance.left), formatNumber(allowance.limit))
        }
      />
    </dl>
  )
}

function Fact({ name, value }: { name: string; value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  )
}

interface QuotaProps {
  name: string
  used: number
  most: number | null
  format: (value: number) => string
}

function Quota({ name, used, most, format }: QuotaProps): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {quotaText(used, most, format)}
        {most !== null && <meter min={0} max={most} high={most * 0.9} value={used} aria-label={name} />}
      </dd>
    </div>
  )
}
