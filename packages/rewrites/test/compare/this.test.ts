import t from 'tap'
import { compareRewrite } from '../../src/index.js'

t.test('refuses a function that no longer passes on this', async (t) => {
  const changes = await compareRewrite({
    before: 'function bound (fn) { return function (...args) { return fn.apply(this, args) } }',
    after: 'function bound (fn) { return (...args) => fn(...args) }',
    language: 'javascript'
  })

  t.match(changes, [{ name: 'bound', refusal: /loses this/ }])
})
