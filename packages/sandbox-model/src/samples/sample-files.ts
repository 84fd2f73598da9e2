import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** One piece of sample code or text. */
export interface Sample {
  /** The fence's word. */
  language: string
  /** '' for none. */
  framework: string
  text: string
}

const FENCE = /^(`{3,})(\S+) ?(\S*)\n([\s\S]*?)\n\1$/gm

const cache = new Map<string, readonly Sample[]>()
let folder: string | undefined

/** Beside the package, wherever this code was bundled to. */
function folderOfSamples(): string {
  folder ??= join(
    dirname(createRequire(import.meta.url).resolve('@filewright/sandbox-model/package.json')),
    'samples'
  )
  return folder
}

/** The samples of a topic, read when they are first asked for. */
export function samplesOf(topicId: string): readonly Sample[] {
  const known = cache.get(topicId)
  if (known !== undefined) return known
  const markdown = readFileSync(join(folderOfSamples(), `${topicId}.md`), 'utf8')
  const samples = [...markdown.matchAll(FENCE)].map(([, , language = '', framework = '', text = '']) => ({
    language,
    framework,
    text
  }))
  cache.set(topicId, samples)
  return samples
}
