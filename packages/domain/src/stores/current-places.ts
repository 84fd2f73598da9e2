import { databaseName, type Places } from '../identity/places.js'
import type { StoreSet } from './store-set.js'

/** Of the database and the store that is the current one at the time of the question. */
export function currentPlaces(set: Pick<StoreSet, 'last'>, databaseUrl: string): Places {
  return {
    get store() {
      return set.last().current.name
    },
    database: databaseName(databaseUrl)
  }
}
