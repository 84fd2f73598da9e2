import { rulePath } from '@filewright/contracts'
import type { Delivery, SortOrder } from '@filewright/client/browser'

export const codeTabs = ['generate', 'analyze', 'optimize'] as const
export type CodeTab = (typeof codeTabs)[number]

export interface FilesRoute {
  view: 'files'
  project: string
  folder: string
  search: string
  sort: SortOrder
  page: number
  /** The file whose details are shown, if any. */
  file: string
}

export interface CodeRoute {
  view: 'code'
  tab: CodeTab
  /** A stored file to open, if any. */
  file: string
}

export interface RulesRoute {
  view: 'rules'
  /** Empty for the list. */
  rule: string
}

export interface TrashRoute {
  view: 'trash'
  project: string
  page: number
}

export interface WebhooksRoute {
  view: 'webhooks'
  project: string
  /** Empty for the list. */
  webhook: string
  /** Of the deliveries that are shown; empty for all. */
  state: Delivery['state'] | ''
}

export interface HistoryRoute {
  view: 'history'
  /** Empty for the list. */
  request: string
}

export type Route =
  | { view: 'projects' }
  | FilesRoute
  | CodeRoute
  | RulesRoute
  | TrashRoute
  | WebhooksRoute
  | { view: 'service' }
  | HistoryRoute
  | { view: 'tokens' }
  /** The fragment stays in the URL, so that the user can correct it. */
  | { view: 'not-found'; hash: string }

const sortOrders: readonly SortOrder[] = ['created_at', '-created_at', 'name', '-name', 'size', '-size']
export const standardSort: SortOrder = '-created_at'

const deliveryStates: ReadonlyArray<Delivery['state']> = ['pending', 'delivered', 'failed']

export const webhooksRoute = (project: string, webhook = ''): WebhooksRoute => ({
  view: 'webhooks',
  project,
  webhook,
  state: ''
})

export function filesRoute(
  project: string,
  more: Partial<Omit<FilesRoute, 'view' | 'project'>> = {}
): FilesRoute {
  return { view: 'files', project, folder: '', search: '', sort: standardSort, page: 1, file: '', ...more }
}

const pageOf = (values: URLSearchParams): number => Math.max(1, Math.trunc(Number(values.get('page'))) || 1)

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // The user has edited the URL.
    return part
  }
}

/** Parses the URL fragment. An empty one shows the list of projects. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [view, ...parts] = path.split('/').filter((part) => part !== '')
  const values = new URLSearchParams(query)
  if (view === undefined) return { view: 'projects' }
  if ((view === 'service' || view === 'tokens') && parts.length === 0) return { view }
  if (view === 'history' && parts.length <= 1) return { view, request: parts.map(decode).join('') }
  if (view === 'rules') return { view, rule: parts.map(decode).join('/') }
  if (view === 'code') {
    const tab = parts.length === 0 ? 'analyze' : codeTabs.find((name) => name === parts.join('/'))
    if (tab === undefined) return { view: 'not-found', hash }
    return { view, tab, file: values.get('file') ?? '' }
  }
  const [project, ...folders] = parts.map(decode)
  if (view === 'trash' && project !== undefined && folders.length === 0) {
    return { view, project, page: pageOf(values) }
  }
  if (view === 'webhooks' && project !== undefined && folders.length <= 1) {
    const state = deliveryStates.find((name) => name === values.get('state')) ?? ''
    return { ...webhooksRoute(project, folders[0]), state }
  }
  if (view !== 'files') return { view: 'not-found', hash }
  if (project === undefined) return { view: 'projects' }
  return filesRoute(project, {
    folder: folders.join('/'),
    search: values.get('search') ?? '',
    sort: sortOrders.find((order) => order === values.get('sort')) ?? standardSort,
    page: pageOf(values),
    file: values.get('file') ?? ''
  })
}

function queryOf(values: Record<string, string>): string {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ''))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

const pageQuery = (page: number): string => queryOf({ page: page === 1 ? '' : String(page) })

export function formatRoute(route: Route): string {
  switch (route.view) {
    case 'projects':
      return '#/files'
    case 'service':
    case 'tokens':
      return `#/${route.view}`
    case 'history':
      return route.request === '' ? '#/history' : `#/history/${encodeURIComponent(route.request)}`
    case 'rules':
      return rulePath(route.rule)
    case 'trash':
      return `#/trash/${encodeURIComponent(route.project)}${pageQuery(route.page)}`
    case 'webhooks': {
      const { project, webhook, state } = route
      const path = [project, webhook].filter((part) => part !== '')
      return `#/webhooks/${path.map(encodeURIComponent).join('/')}${queryOf({ state })}`
    }
    case 'not-found':
      return route.hash
    case 'code':
      return `#/code/${route.tab}${queryOf({ file: route.file })}`
    case 'files': {
      const { project, folder, search, sort, page, file } = route
      const path = [project, ...folder.split('/').filter((part) => part !== '')]
        .map(encodeURIComponent)
        .join('/')
      return `#/files/${path}${queryOf({
        search,
        sort: sort === standardSort ? '' : sort,
        page: page === 1 ? '' : String(page),
        file
      })}`
    }
  }
}
