import { frameworkOf, titleOf, withComment } from '../languages.js'
import { rankTopics } from './choose-topic.js'
import { samplesOf, type Sample } from './sample-files.js'
import { topics, type Kind, type Topic } from './topics.js'

export const SANDBOX_NOTE = 'Sandbox answer: a fixed sample, not written by a language model.'

export interface Wanted {
  prompt: string
  kind: Kind
  /** '' for any. */
  language: string
  /** '' for any. */
  framework: string
}

export interface Chosen {
  topic: string
  /** The fence's word; '' for text that is not code. */
  language: string
  text: string
}

const titleOfTopic = (id: string): string => id.replaceAll('-', ' ')

const UI: ReadonlySet<string> = new Set(['react', 'vue', 'svelte'])
const SCRIPT: readonly string[] = ['javascript', 'typescript']

/** Frameworks that are used in few languages. */
const languagesOf: Readonly<Record<string, readonly string[]>> = {
  react: SCRIPT,
  vue: SCRIPT,
  svelte: SCRIPT,
  nextjs: SCRIPT,
  express: SCRIPT,
  fastify: SCRIPT,
  fastapi: ['python'],
  flask: ['python'],
  spring: ['java'],
  nethttp: ['go']
}

/** The framework's name as fences have it, unless the language rules it out. */
function usableFramework({ language, framework }: Wanted): string {
  const name = frameworkOf(framework)
  const known = Object.hasOwn(languagesOf, name) ? languagesOf[name] : undefined
  return language === '' || known === undefined || known.includes(language) ? name : ''
}

/** The fences that fit the language; none for any language. */
function fencesFor({ language, framework, kind }: Wanted): readonly string[] {
  if (framework === 'vue' || framework === 'svelte') return [framework]
  const isScript = language === '' || SCRIPT.includes(language)
  if (isScript && (kind === 'component' || framework === 'react')) {
    return language === 'javascript' ? ['jsx', 'javascript'] : ['tsx', 'typescript']
  }
  return language === '' ? [] : [language]
}

/** The sample in the wanted language and framework. */
function fitting(samples: readonly Sample[], wanted: Wanted): Sample | undefined {
  const fences = fencesFor(wanted)
  const inLanguage = samples.filter(({ language }) => fences.length === 0 || fences.includes(language))
  if (wanted.framework === '' || UI.has(wanted.framework)) return inLanguage[0]
  const named = inLanguage.filter(({ framework }) => frameworkOf(framework) === wanted.framework)
  // Typed, if no language is named.
  return named.find(({ language }) => language.startsWith('t')) ?? named[0]
}

const anyFramework = (samples: readonly Sample[], wanted: Wanted): Sample | undefined =>
  fitting(samples, { ...wanted, framework: '' })

function commented({ language, text }: Sample, note: string): Pick<Chosen, 'language' | 'text'> {
  return { language, text: withComment(text, note, language) }
}

/** The languages and frameworks of a topic's samples. */
function writtenIn(samples: readonly Sample[]): string {
  const names = samples.map(({ language, framework }) =>
    framework === '' ? titleOf(language) : `${titleOf(language)} (${framework})`
  )
  return [...new Set(names)].join(', ')
}

/** The topics of a kind, in the wanted language if there are any, and how to get those of other kinds. */
function covered(wanted: Wanted): string {
  const ofKind = topics.filter(({ kind }) => kind === wanted.kind)
  const inLanguage = ofKind.filter(({ id }) => anyFramework(samplesOf(id), wanted) !== undefined)
  const isIn = wanted.language !== '' && inLanguage.length > 0
  const list = (isIn ? inLanguage : ofKind).map(({ id }) => titleOfTopic(id)).join(', ')
  const others = [...new Set(topics.map(({ kind }) => kind))]
    .filter((kind) => kind !== wanted.kind)
    .join(', ')
  const what = isIn ? `Its samples in ${titleOf(wanted.language)}` : `Its samples of the type ${wanted.kind}`
  return `${what}: ${list}. Others are of the types ${others}.`
}

const USUAL: Readonly<Record<Kind, readonly string[]>> = {
  code: ['average'],
  component: ['counter', 'page', 'average'],
  api: ['crud', 'average'],
  content: []
}

/** Code in the wanted language that says why it does not do what was requested. */
function fallback(wanted: Wanted, near: string | undefined): Chosen {
  const why =
    near === undefined
      ? 'The sandbox has no sample for this request.'
      : `The sandbox has a sample for "${titleOfTopic(near)}", but only in ${writtenIn(samplesOf(near))}.`
  const note = `${SANDBOX_NOTE}\n${why} ${covered(wanted)}`
  const usual =
    wanted.language === '' && wanted.kind === 'code' ? { ...wanted, language: 'javascript' } : wanted
  for (const find of [fitting, anyFramework]) {
    for (const topic of USUAL[wanted.kind]) {
      const sample = find(samplesOf(topic), usual)
      if (sample !== undefined) return { topic: '', ...commented(sample, note) }
    }
  }
  // The comment syntax of that language is unknown.
  return { topic: '', language: 'text', text: note }
}

/** The topic's sample for a request; none if it has another framework or language. */
function chosenFrom({ id, kind }: Topic, wanted: Wanted): Sample | undefined {
  const samples = samplesOf(id)
  const request = { ...wanted, kind }
  const named = wanted.framework === '' ? undefined : fitting(samples, request)
  // A function is the same in every framework.
  if (named !== undefined || (wanted.framework !== '' && kind !== 'code')) return named
  if (wanted.language !== '' || kind === 'component') return anyFramework(samples, request)
  return anyFramework(samples, { ...request, language: 'javascript' }) ?? samples[0]
}

export function chooseContent(prompt: string): Chosen {
  const [topic] = rankTopics(prompt, 'content')
  const text = topic === undefined ? undefined : samplesOf(topic.id)[0]?.text
  if (topic !== undefined && text !== undefined) {
    return { topic: topic.id, language: '', text: `*${SANDBOX_NOTE}*\n\n${text}` }
  }
  const list = topics.filter(({ kind }) => kind === 'content').map(({ id }) => `- ${titleOfTopic(id)}`)
  return {
    topic: '',
    language: '',
    text: `# A sample text

This text comes from a sandbox and not from a language model. The sandbox has no sample for this request. It has one for each of these:

${list.join('\n')}

Connect a real model to get real answers.`
  }
}

/** The sample for a request, with a comment that says what it is. The same request gets the same one. */
export function chooseSample(request: Wanted): Chosen {
  if (request.kind === 'content') return chooseContent(request.prompt)
  const wanted = { ...request, framework: usableFramework(request) }
  const ranked = rankTopics(`${wanted.prompt} ${wanted.language} ${wanted.framework}`, wanted.kind)
  for (const topic of ranked) {
    const sample = chosenFrom(topic, wanted)
    if (sample !== undefined) return { topic: topic.id, ...commented(sample, SANDBOX_NOTE) }
  }
  return fallback(wanted, ranked[0]?.id)
}
