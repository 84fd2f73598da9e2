import type { BlobStore } from '@filewright/blob-store'
import type { Database } from '@filewright/db'
import type { Places } from './places.js'

export interface ContentsDeps {
  files: Pick<Database['files'], 'findStates'>
  installation: Pick<Database['installation'], 'sampleReadyKeys'>
  blobs: Pick<BlobStore, 'stat' | 'list'>
}

/** Samples both sides before they have an identity. */
export interface Contents {
  /** Ready files sampled, and how many of them have their bytes here. */
  ready: number
  stored: number
  /** Blobs sampled, and how many of them have a record here. */
  blobs: number
  owned: number
}

const SAMPLE = 20

export async function sampleContents({ files, installation, blobs }: ContentsDeps): Promise<Contents> {
  const keys = await installation.sampleReadyKeys(SAMPLE)
  const stats = await Promise.all(keys.map(async (key) => await blobs.stat(key)))
  const listed: string[] = []
  for await (const { key } of blobs.list()) {
    listed.push(key.slice(key.lastIndexOf('/') + 1))
    if (listed.length >= SAMPLE) break
  }
  const owned = listed.length === 0 ? 0 : (await files.findStates(listed)).size
  const stored = stats.filter((stat) => stat !== null).length
  return { ready: keys.length, stored, blobs: listed.length, owned }
}

/**
 * Null when both may get one identity: both are empty, or they have the same files. Ids are random, so
 * another store has none of our keys; half of them is enough, because an old installation may have lost some.
 */
export function disagreement({ ready, stored, blobs, owned }: Contents, places: Places): string | null {
  const store = `the blob store (${places.store})`
  const database = `the database (${places.database})`
  if (ready > 0 && blobs === 0) return `${store} is empty, but ${database} has files`
  if (ready > 0 && stored * 2 < ready) {
    return `only ${stored} of ${ready} files looked up in ${database} have their bytes in ${store}`
  }
  if (ready === 0 && owned * 2 < blobs) return `${store} holds files, but ${database} has no record of them`
  return null
}
