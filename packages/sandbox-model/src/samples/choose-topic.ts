import { topics, type Kind, type Topic } from './topics.js'

interface Ranked {
  topic: Topic
  score: number
  /** The position in the prompt. */
  at: number
  groups: number
}

interface Entry {
  topic: Topic
  groups: ReadonlyArray<readonly string[]>
}

/** Longer prompts are judged by their beginning. */
const MAX_WORDS = 2_000
/** A topic of another kind than requested needs a better reason. */
const OTHER_KIND_COST = 1.5
/** The weight of a common word relative to a specific one. */
const COMMON_WEIGHT = 0.2

const undoubled = (word: string): string => word.replace(/([bdfglmnprt])\1$/, '$1')

/** The common stem of a word's forms: "validates", "validation" and "validator" count as one word. */
export function stem(word: string): string {
  if (word.length > 6 && /at(?:e|es|ed|ing|or|ors|ion|ions)$/.test(word)) return word.replace(/at[a-z]+$/, '')
  const single =
    word.length > 3 && !/(?:ss|us|is)$/.test(word)
      ? word
          .replace(/ies$/, 'y')
          .replace(/(s|x|z|ch|sh)es$/, '$1')
          .replace(/s$/, '')
      : word
  const bare = single.replace(/(?:ing|er|or)$/, '')
  if (single.length > 5 && bare !== single) return undoubled(bare)
  if (single.length > 4 && single.endsWith('ed')) return undoubled(single.slice(0, -2))
  return single.length > 3 ? single.replace(/e$/, '') : single
}

/** The stems of a text in order. */
function stemsOf(text: string): string[] {
  const spaced = text
    .slice(0, MAX_WORDS * 20)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
  return (spaced.toLowerCase().match(/[a-z0-9]+/g) ?? []).slice(0, MAX_WORDS).map(stem)
}

/** Words that do not identify a subject. */
const COMMON = new Set(
  `a an the of to in on for from with and or by is are it its be as at that this which what how my our your me i we you
  all each every some any no not one two three more most new first last only into after before between without has have
  do does get make write create implement build need want please function class component code program script method
  helper simple small text string number list array value object item data file user page app result`
    .split(/\s+/)
    .map(stem)
)

let entries: readonly Entry[] | undefined

/** Only the first request pays for it. */
function entriesOfTable(): readonly Entry[] {
  entries ??= topics.map((topic) => ({ topic, groups: topic.words.split(',').map(stemsOf) }))
  return entries
}

function rank({ topic, groups }: Entry, places: ReadonlyMap<string, number>, kind: Kind): Ranked | undefined {
  const found = groups.filter((words) => words.every((word) => places.has(word)))
  if (found.length === 0) return undefined
  const most = Math.max(...found.map(weightOf))
  const best = found.filter((words) => weightOf(words) === most)
  const at = Math.min(...best.flat().map((word) => places.get(word) ?? 0))
  const score = most * most - (topic.kind === kind ? 0 : OTHER_KIND_COST)
  return score > 0 ? { topic, score, at, groups: found.length } : undefined
}

const weightOf = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + (COMMON.has(word) ? COMMON_WEIGHT : 1), 0)

/** A request for code may mean any kind; a request for a component, an API or a text means only that kind. */
const fits = (kind: Kind, wanted: Kind): boolean =>
  kind === wanted || (wanted === 'code' && kind !== 'content')

/** The topics that share the most specific words with a prompt that matches no complete group. */
function nearTopics(words: ReadonlySet<string>, kind: Kind): Topic[] {
  const own = entriesOfTable().filter(({ topic }) => topic.kind === kind)
  const shared = own.map(({ topic, groups }) => {
    const telling = new Set(groups.flat().filter((word) => words.has(word) && !COMMON.has(word)))
    return { topic, count: telling.size }
  })
  const most = Math.max(...shared.map(({ count }) => count))
  // One word alone may be chance, and so may be two of several topics.
  const near = shared.filter(({ count }) => count === most)
  return most >= 2 && near.length === 1 ? near.map(({ topic }) => topic) : []
}

/**
 * The topics that a prompt may mean, the likeliest first: by the most words of one group, then by what the
 * prompt names first.
 */
export function rankTopics(prompt: string, kind: Kind): Topic[] {
  const places = new Map<string, number>()
  for (const [index, word] of stemsOf(prompt).entries()) if (!places.has(word)) places.set(word, index)
  const ranked = entriesOfTable()
    .filter(({ topic }) => fits(topic.kind, kind))
    .map((entry) => rank(entry, places, kind))
    .filter((each) => each !== undefined)
    .sort((a, b) => b.score - a.score || a.at - b.at || b.groups - a.groups)
  const [first] = ranked
  if (first === undefined) return nearTopics(new Set(places.keys()), kind)
  return ranked.filter(({ score }) => score * 2 >= first.score).map(({ topic }) => topic)
}
