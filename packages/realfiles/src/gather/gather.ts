import { basename, join, relative, resolve } from 'node:path'
import { matchesAny, type Options } from '../options.js'
import type { Sample } from '../sample.js'
import { debianSources } from './debian.js'
import { filesBelow, sampleOf } from './folder.js'
import { machineSources } from './machine.js'
import { madeArchives } from './made-archives.js'
import { madeDocuments } from './made-documents.js'
import { madeImages } from './made-images.js'
import { npmSource } from './npm-packages.js'
import type { GatherDeps, Source } from './source.js'

const SOURCES: Source[] = [
  ...machineSources,
  ...debianSources,
  npmSource,
  madeArchives,
  ...madeImages,
  madeDocuments
]

/** The files of the given folders, or else files that this machine has, can download or can generate. */
export async function gather(
  { folders, kinds, sources, names, quick }: Options,
  deps: GatherDeps
): Promise<Sample[]> {
  const wanted = ({ name }: Sample): boolean => matchesAny(name, names)
  if (folders.length > 0) {
    return (await Promise.all(folders.map(async (folder) => await fromFolder(resolve(folder)))))
      .flat()
      .filter(wanted)
  }
  const chosen = SOURCES.filter((source) => source.quick || !quick).filter(
    (source) => matchesAny(source.name, sources) && source.kinds.some((kind) => kinds.includes(kind))
  )
  const samples: Sample[] = []
  for (const source of chosen) {
    deps.say(`Gathering: ${source.name}…`)
    try {
      samples.push(...(await source.gather(deps)))
    } catch (error) {
      deps.skipped.push(`${source.name}: ${String(error)}`)
    }
  }
  return samples.filter(({ name, source }) => matchesAny(`${name} ${source}`, names))
}

const fromFolder = async (folder: string): Promise<Sample[]> =>
  (await filesBelow(folder)).map((path) => sampleOf(path, join(basename(folder), relative(folder, path))))
