import { lstat, readFile, readdir } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { limits } from '@filewright/contracts'
import { shuffled } from '../random.js'
import type { Sample } from '../sample.js'

const SKIPPED_FOLDERS = new Set(['.git', '.cache', '.turbo'])

/** All ordinary files of a folder that fit into an upload, with the paths below it. */
export async function filesBelow(folder: string, most = Infinity): Promise<string[]> {
  const found: string[] = []
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined && found.length < most; next = folders.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => [])
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(next, entry.name)
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) folders.push(path)
      else if (entry.isFile()) found.push(path)
    }
  }
  return found
}

export function sampleOf(path: string, source: string): Sample {
  return { source, name: basename(path), load: async () => await readFile(path) }
}

export interface Choice {
  random: () => number
  /** Of each extension. */
  perExtension: number
}

/** Some files of a folder, with a maximum per extension, so that rare formats are included. */
export async function someFiles(
  folder: string,
  source: string,
  { random, perExtension }: Choice
): Promise<Sample[]> {
  const seen = new Map<string, number>()
  const chosen: Sample[] = []
  for (const path of shuffled(await filesBelow(folder), random)) {
    const extension = /\.[^.]{1,12}$/.exec(basename(path))?.[0].toLowerCase() ?? ''
    const count = seen.get(extension) ?? 0
    if (count >= perExtension) continue
    const { size } = await lstat(path)
    if (size > limits.fileSizeBytes) continue
    seen.set(extension, count + 1)
    chosen.push(sampleOf(path, `${source}/${relative(folder, path)}`))
  }
  return chosen
}
