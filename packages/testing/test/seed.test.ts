import { execFileSync } from 'node:child_process'
import t from 'tap'
import { numbersFrom } from '../src/index.js'

const PROGRAM = `
import { testSeed } from '${new URL('../src/index.js', import.meta.url).href}'
const said = []
const t = { comment: (text) => said.push(text) }
console.log(JSON.stringify([testSeed(t), testSeed(t), said]))
`
function seedWith(env: NodeJS.ProcessEnv): [first: number, second: number, said: string[]] {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    env: { ...process.env, ...env },
    encoding: 'utf8'
  })
  return JSON.parse(output) as [number, number, string[]]
}

t.test('TEST_SEED is the seed, and it is in the output', async (t) => {
  t.strictSame(seedWith({ TEST_SEED: '7' }), [7, 7, ['TEST_SEED=7', 'TEST_SEED=7']])
})

t.test('without TEST_SEED a process draws one seed, and another process another', async (t) => {
  const [first, second] = seedWith({ TEST_SEED: '' })

  t.equal(second, first)
  t.not(seedWith({ TEST_SEED: '' })[0], first)
})

t.test('a seed that is not a number is refused', async (t) => {
  t.throws(() => seedWith({ TEST_SEED: 'seven' }), /TEST_SEED must be a whole number/)
})

t.test('the same seed draws the same numbers, another seed others, all in [0, 1)', async (t) => {
  const draw = (seed: number): number[] => Array.from({ length: 1_000 }, numbersFrom(seed))

  t.strictSame(draw(7), draw(7))
  t.notSame(draw(7), draw(8))
  t.ok(draw(7).every((number) => number >= 0 && number < 1))
})
