import type { JSX } from 'preact'
import type { HistoryRoute } from '../routes.js'
import { HistoryList } from './history-list.js'
import { RequestPage } from './request-page.js'

/** The requests of the token, or one of them. */
export function HistoryView({ route: { request } }: { route: HistoryRoute }): JSX.Element {
  return request === '' ? <HistoryList /> : <RequestPage key={request} id={request} />
}
