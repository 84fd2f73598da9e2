import type { Pagination } from '@filewright/contracts'
import type { Answer } from './checks.js'
import { ServiceError } from './errors.js'
import { readAnswer, type CallOptions, type Transport } from './transport.js'

export const MAX_PAGE = 100

interface Page<F> {
  files: F[]
  pagination: Pagination
}

/** Only the cursor is taken from the URL: the caller decides where requests and the token go. */
function cursorIn(link: string | null): string | null {
  const address = /<([^>]*)>;\s*rel="?next"?/.exec(link ?? '')?.[1]
  return address === undefined ? null : new URL(address, 'http://any').searchParams.get('after')
}

/** Follows the Link headers of a list. */
export async function* walk<F>(
  { call, fetch }: Transport,
  pathOf: (after: string) => string,
  answer: Answer<Page<F>>,
  { accept, ...options }: CallOptions & { accept?: string }
): AsyncGenerator<F> {
  const visited = new Set<string>()
  for (let after = ''; ; ) {
    const { page, next } = (await call({
      ...options,
      path: pathOf(after),
      headers: accept === undefined ? {} : { accept },
      send: async ({ url, ...init }) => await fetch(url, { method: 'GET', ...init }),
      read: async (response) => ({
        page: await readAnswer(response, answer),
        next: cursorIn(response.headers.get('link'))
      })
    })) as { page: Page<F>; next: string | null }
    yield* page.files
    if (next === null) {
      // A full page has a next one, even if empty. Without this check a list truncated by a proxy or an
      // older server would look complete, and files would look deleted.
      if (page.files.length < page.pagination.limit) return
      throw new ServiceError('The service did not send the address of the next page', {
        code: 'list-cut-short'
      })
    }
    // Each page begins behind the last one of the page before. A list that stands still would never end.
    if (page.files.length === 0 || visited.has(next)) {
      throw new ServiceError('The service repeats a part of the list', { code: 'list-without-end' })
    }
    visited.add(next)
    after = next
  }
}
