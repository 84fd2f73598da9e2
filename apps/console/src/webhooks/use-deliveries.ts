import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Delivery } from '@filewright/client/browser'
import { useSession } from '../console-context.js'
import { explainError } from '../explain-error.js'
import type { WebhooksRoute } from '../routes.js'
import { useEvery } from '../ui/use-every.js'
import { useLoaded, type Loaded } from '../ui/use-loaded.js'

const PAGE_SIZE = 25
const REFRESH_MS = 5_000

export interface Deliveries {
  first: Loaded<readonly Delivery[]>
  shown: readonly Delivery[]
  hasMore: boolean
  isLoadingMore: boolean
  problem: string
  showMore: () => Promise<void>
  /** From the newest on. */
  restart: () => void
}

/** The log of one webhook, newest first; it is kept up to date until older pages are shown. */
export function useDeliveries({ webhook, state }: WebhooksRoute): Deliveries {
  const { api } = useSession()
  const [older, setOlder] = useState<readonly Delivery[]>([])
  const [hasMore, setHasMore] = useState(false)
  const [isLoadingMore, setLoadingMore] = useState(false)
  const [problem, setProblem] = useState('')
  const options = { ...(state === '' ? {} : { state }), limit: PAGE_SIZE }
  const key = `${webhook} ${state}`
  const first = useLoaded(key, async (signal) => ({
    key,
    list: await api.webhooks.deliveries(webhook, { ...options, signal })
  }))
  const newest = first.value?.key === key ? first.value.list : undefined
  useEffect(() => {
    setOlder([])
    setProblem('')
  }, [key])
  useEffect(() => {
    if (older.length === 0) setHasMore(newest?.length === PAGE_SIZE)
  }, [newest, older])

  const { reload } = first
  const isAtStart = older.length === 0
  // A reload would move the border between the newest page and the older ones.
  useEvery(
    REFRESH_MS,
    useCallback(() => {
      if (isAtStart) reload()
    }, [isAtStart, reload])
  )

  const shown = [...(newest ?? []), ...older]
  return {
    first: { ...first, value: newest },
    shown,
    hasMore,
    isLoadingMore,
    problem,
    showMore: async () => {
      const last = shown.at(-1)
      if (last === undefined) return
      setLoadingMore(true)
      setProblem('')
      try {
        const more = await api.webhooks.deliveries(webhook, { ...options, before: last.id })
        setOlder([...older, ...more])
        setHasMore(more.length === PAGE_SIZE)
      } catch (error) {
        setProblem(explainError(error))
      } finally {
        setLoadingMore(false)
      }
    },
    restart: () => {
      setOlder([])
      reload()
    }
  }
}
