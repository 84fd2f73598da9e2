import { isId } from '@filewright/runtime'

/**
 * Two ids, in the database and in the store's marker. The first distinguishes two databases on one store, the
 * second two stores on one database.
 */
export interface Identity {
  installation: string
  store: string
}

export function formatMarker({ installation, store }: Identity): string {
  return `filewright-store 1\ninstallation ${installation}\nstore ${store}\n`
}

const MARKER = /^filewright-store 1\ninstallation (\w+)\nstore (\w+)\n$/

/** Null for anything that we have not written. */
export function parseMarker(text: string): Identity | null {
  const [, installation = '', store = ''] = MARKER.exec(text) ?? []
  return isId(installation) && isId(store) ? { installation, store } : null
}
