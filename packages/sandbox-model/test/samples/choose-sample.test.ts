import t from 'tap'
import { heldOut, phrasings } from '../helpers/phrasings.js'
import { chooseSample, samplesOf, topics, type Kind } from '../../src/index.js'

/** The number of correct choices when the table was done. A change must not reduce it. */
const MIN_RIGHT = 21

function topicFor(prompt: string, kind: Kind, language = ''): string {
  return chooseSample({ prompt, kind, language, framework: '' }).topic
}

t.test('every topic is chosen by each of its phrasings', async (t) => {
  for (const { id, kind } of topics) {
    const ways = phrasings[id] ?? []
    t.ok(ways.length >= 2, `${id} has two phrasings`)
    for (const prompt of ways) t.equal(topicFor(prompt, kind), id, `${kind}: ${prompt}`)
  }
  t.strictSame(new Set(Object.keys(phrasings)), new Set(topics.map(({ id }) => id)))
})

t.test(
  'the language of the request or of the prompt decides, and every sample says what it is',
  async (t) => {
    for (const { id, kind } of topics) {
      for (const { language, framework, text } of samplesOf(id)) {
        if (kind === 'content') continue
        const wanted = { jsx: 'javascript', tsx: 'typescript', vue: '', svelte: '' }[language] ?? language
        const asked = framework === '' && /^(?:vue|svelte)$/.test(language) ? language : framework
        const chosen = chooseSample({
          prompt: `${phrasings[id]?.[0]}`,
          kind,
          language: wanted,
          framework: asked
        })
        t.match(chosen, { topic: id, language }, `${id} in ${language} ${framework}`)
        t.match(chosen.text, /not written by a language model/)
        t.ok(chosen.text.includes(text.split('\n').at(-1) ?? ''), 'the sample is whole')
      }
    }
  }
)

t.test('most prompts that were not used to build the table get the right topic', async (t) => {
  const wrong = heldOut
    .map(([kind, prompt, language, topic]) => ({
      prompt,
      topic,
      got: topicFor(prompt, kind, language)
    }))
    .filter(({ topic, got }) => topic !== got)
  const right = heldOut.length - wrong.length

  t.comment(`${right} of ${heldOut.length} right`)
  for (const { prompt, topic, got } of wrong) t.comment(`${prompt}: ${got || 'none'} and not ${topic}`)
  t.ok(right >= MIN_RIGHT, `${right} of ${heldOut.length}`)
})

t.test('a request without a sample gets code in its language that lists the available topics', async (t) => {
  const unknown = chooseSample({
    prompt: 'simulate a nuclear reactor',
    kind: 'code',
    language: 'rust',
    framework: ''
  })
  t.match(unknown, {
    topic: '',
    language: 'rust',
    text: /no sample for this request[\s\S]*Rust: [\s\S]*binary search[\s\S]*fn average/
  })
  const elsewhere = chooseSample({
    prompt: 'a debounce function',
    kind: 'code',
    language: 'rust',
    framework: ''
  })
  t.match(elsewhere, {
    topic: '',
    language: 'rust',
    text: /"debounce", but only in JavaScript, TypeScript, Python, Go/
  })
  const content = chooseSample({ prompt: 'a sonnet', kind: 'content', language: '', framework: '' })
  t.match(content, { topic: '', text: /not from a language model[\s\S]*- press release/ })
  t.match(chooseSample({ prompt: 'x', kind: 'code', language: 'befunge', framework: '' }), {
    language: 'text'
  })
})
