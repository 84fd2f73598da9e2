import t from 'tap'
import { fenced, startShared, startWorker } from './helpers/test-worker.js'

t.setTimeout(240_000)

const submitted = `def active_names(users):
    names = []
    for user in users:
        if user["active"]:
            names.append(user["name"].strip())
    return names


def first_words(lines, limit=3):
    words = []
    for line in lines:
        parts = line.split()
        if len(parts) > 0:
            if len(words) < limit:
                words.append(parts[0])
    return words
`
const better = submitted.replace(
  / {4}names = \[\][\s\S]*?return names/,
  '    return [user["name"].strip() for user in users if user["active"]]'
)

t.test('optimize of Python', { timeout: 240_000 }, async (t) => {
  const shared = await startShared(t)

  t.test("takes the model's rewrite once both versions returned the same on every input", async (t) => {
    const { optimize } = await startWorker(t, shared, { replies: [fenced(better, 'python')] })

    const { body, engine } = await optimize({ code: submitted, language: 'python' })

    t.equal(body.optimized_code, better)
    t.equal(engine, 'model')
    t.match(body.improvements.at(-1), /Same results on \d+ generated inputs for 1 function/)
  })

  t.test('takes the function that is proven, and keeps the one that behaves differently', async (t) => {
    const wrong = better.replace(
      / {4}words = \[\][\s\S]*?return words/,
      '    return [line.split()[0] for line in lines if line.split()][:limit]'
    )
    const { optimize } = await startWorker(t, shared, { replies: [fenced(wrong, 'python')] })

    const { body } = await optimize({ code: submitted, language: 'python' })

    t.equal(body.optimized_code, better, 'a negative limit gives something else')
    t.match(body.improvements.at(-1), /Same results on \d+ generated inputs for 1 function/)
  })

  t.test('refuses code that it cannot run', async (t) => {
    const foreign = `import requests\n\n\n${submitted}`
    const { optimize } = await startWorker(t, shared, {
      replies: [fenced(`import requests\n\n\n${better}`, 'python')]
    })

    await t.rejects(optimize({ code: foreign, language: 'python' }))
  })
})
