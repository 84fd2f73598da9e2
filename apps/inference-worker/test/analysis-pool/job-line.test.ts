import t from 'tap'
import {
  createJobLine,
  type JobLine,
  type JobLineOptions,
  type LineJob
} from '../../src/analysis-pool/job-line.js'

interface Named extends LineJob {
  name: string
}

const unlimited = { jobs: Infinity, chars: Infinity }

function lineWith(options: Partial<JobLineOptions> = {}) {
  const clock = { ms: 0 }
  const now = (): number => clock.ms
  const line = createJobLine<Named>({ maxPerLane: unlimited, maxInTotal: unlimited, now, ...options })
  return { line, clock }
}

/** `a1` is a job in the lane `a`. */
function jobOf(name: string, chars = 250_000): Named {
  return { name, lane: name[0]!, chars, isSmall: chars <= 1_000 }
}

function namesOf(line: JobLine<Named>, count: number): Array<string | undefined> {
  return Array.from({ length: count }, () => line.take('general')?.name)
}

t.test('a lane with one job waits for one job of a lane with twelve', async (t) => {
  const { line } = lineWith()
  for (let index = 1; index <= 12; index++) line.push(jobOf(`a${index}`))
  line.take('general')
  line.push(jobOf('b1'))
  line.push(jobOf('b2'))

  t.strictSame(namesOf(line, 4), ['b1', 'a2', 'b2', 'a3'])
})

t.test('a lane that was briefly empty does not overtake others', async (t) => {
  const { line } = lineWith()
  line.push(jobOf('a1'))
  t.equal(line.take('general')?.name, 'a1')
  // Its caller gives up and comes back before the others arrive.
  line.push(jobOf('a2'))
  line.push(jobOf('b1'))
  line.push(jobOf('c1'))

  t.strictSame(namesOf(line, 4), ['b1', 'c1', 'a2', undefined])
})

t.test('the lane with the least CPU time goes first, on every kind of process', async (t) => {
  const { line } = lineWith()
  line.push(jobOf('a1'))
  line.take('general')
  line.charge('a', 3_000)
  line.push(jobOf('b1', 10))
  line.take('small')
  line.charge('b', 20)
  for (const job of [jobOf('a2'), jobOf('a3', 10), jobOf('b2'), jobOf('b3')]) line.push(job)

  t.equal(line.take('general')?.name, 'b2')
  line.charge('b', 2_900)
  t.equal(line.take('general')?.name, 'b3')
  line.charge('b', 200)
  t.strictSame(namesOf(line, 2), ['a3', 'a2'])
})

t.test(
  'many cheap jobs of one lane go before the second job of a lane whose first one used as much CPU time',
  async (t) => {
    const { line } = lineWith()
    for (let index = 1; index <= 5; index++) line.push(jobOf(`a${index}`))
    line.take('general')
    line.charge('a', 1_000)
    for (let index = 1; index <= 9; index++) line.push(jobOf(`b${index}`, 10))
    const order: string[] = []
    for (let job = line.take('general'); job !== undefined; job = line.take('general')) {
      order.push(job.name)
      line.charge(job.lane, job.lane === 'a' ? 1_000 : 99)
    }

    t.strictSame(order.slice(0, 10), ['b1', 'b2', 'b3', 'b4', 'b5', 'b6', 'b7', 'b8', 'b9', 'a2'])
  }
)

t.test('a lane that was idle for long gets no credit for it', async (t) => {
  const { line } = lineWith()
  line.push(jobOf('b1'))
  line.take('general')
  for (let index = 1; index <= 9; index++) {
    line.push(jobOf(`a${index}`))
    line.take('general')
    line.charge('a', 1_000)
  }
  for (const name of ['a10', 'a11', 'a12', 'b2', 'b3', 'b4']) line.push(jobOf(name))
  const order = Array.from({ length: 6 }, () => {
    const job = line.take('general')!
    line.charge(job.lane, 1_000)
    return job.name
  })

  t.equal(order[0], 'b2')
  t.ok(order.indexOf('a10') <= 2, order.join(', '))
})

t.test(
  'a lane that used too much CPU time on the process for small jobs is barred from it for a minute',
  async (t) => {
    const { line, clock } = lineWith({ isRunning: (lane) => lane === 'a' && clock.ms < 60_000 })
    line.push(jobOf('a1', 10))
    line.bar('a')

    t.equal(line.take('small'), undefined)
    line.push(jobOf('b1', 10))
    t.equal(line.take('small')?.name, 'b1')
    t.equal(line.take('general')?.name, 'a1')
    line.push(jobOf('a2', 10))
    clock.ms += 60_000
    t.equal(line.take('small')?.name, 'a2')
  }
)

t.test('a slow lane without a process does not wait for the long jobs of another lane', async (t) => {
  // All other processes run jobs of the lane `a`.
  const { line } = lineWith({ isRunning: (lane) => lane === 'a' })
  for (const lane of ['a', 'b']) line.bar(lane)
  for (let index = 1; index <= 4; index++) line.push(jobOf(`a${index}`, 10))

  for (let index = 1; index <= 3; index++) {
    line.push(jobOf(`b${index}`, 10))
    t.equal(line.take('small')?.name, `b${index}`)
  }

  line.push(jobOf('b4', 10))
  line.push(jobOf('c1', 10))
  t.equal(line.take('small')?.name, 'c1', 'a lane that is not slow goes first')
})

t.test('a lane with a process leaves the one for small jobs to other recent lanes', async (t) => {
  const running = new Set(['a'])
  const { line, clock } = lineWith({ isRunning: (lane) => running.has(lane) })
  line.push(jobOf('a1', 10))
  t.equal(line.take('small')?.name, 'a1', 'alone it may have both')

  line.push(jobOf('b1', 10))
  t.equal(line.take('small')?.name, 'b1')
  line.push(jobOf('a2', 10))
  clock.ms += 5_000
  t.equal(line.take('small'), undefined, 'the other one may come again')
  running.delete('a')
  t.equal(line.take('small')?.name, 'a2', 'it has no process')
  running.add('a')
  line.push(jobOf('a3', 10))
  clock.ms += 6_000
  t.equal(line.take('small')?.name, 'a3', 'the other one has gone')
})

t.test('the process for small jobs takes no large one, and a general one takes both', async (t) => {
  const { line } = lineWith()
  for (const job of [jobOf('a1'), jobOf('b1', 10), jobOf('c1', 20)]) line.push(job)

  t.equal(line.take('small')?.name, 'b1')
  t.strictSame(namesOf(line, 1), ['a1'])
  t.strictSame(namesOf(line, 1), ['c1'])
  line.push(jobOf('a2'))
  t.equal(line.take('small'), undefined)
})

t.test('within a lane the shorter job goes first', async (t) => {
  const { line } = lineWith()
  for (const [name, chars] of [
    ['a1', 900],
    ['a2', 10],
    ['a3', 500]
  ] as const) {
    line.push(jobOf(name, chars))
  }

  t.strictSame(namesOf(line, 3), ['a2', 'a3', 'a1'])
})

t.test('a long job runs after a bounded time, however many short ones follow', async (t) => {
  const { line, clock } = lineWith()
  line.push(jobOf('along', 250_000))
  line.push(jobOf('a0', 10))
  let overtakenBy = 0
  // A short job every 10 ms, endlessly: one is always waiting.
  while (line.take('general')?.name !== 'along' && overtakenBy < 10_000) {
    overtakenBy++
    clock.ms += 10
    line.push(jobOf(`a${overtakenBy}`, 10))
  }

  t.ok(overtakenBy > 10, 'short ones go first for a while')
  t.ok(overtakenBy <= 251, `${overtakenBy} went first, in ${clock.ms} ms`)
})

t.test('a full lane refuses its own jobs and no others, by number and by characters', async (t) => {
  const { line } = lineWith({ maxPerLane: { jobs: 3, chars: 1_000 } })
  for (const job of [jobOf('a1', 1), jobOf('a2', 1), jobOf('a3', 1), jobOf('b1', 900)]) line.push(job)

  t.match(line.refusalOf(jobOf('a4', 1)), /^3 analysis jobs/)
  t.match(line.refusalOf(jobOf('b2', 200)), /900 characters/)
  t.equal(line.refusalOf(jobOf('b2', 100)), null)
  t.equal(line.refusalOf(jobOf('c1', 5_000)), null, 'the first one waits whatever its size')
})

t.test('all lanes together are bounded', async (t) => {
  const { line } = lineWith({ maxInTotal: { jobs: 50, chars: 1_000 } })
  const accepted = Array.from({ length: 5_000 }, (_, index) => ({
    ...jobOf('x', 10),
    lane: `lane ${index}`
  })).filter((job) => line.refusalOf(job) === null && (line.push(job), true))

  t.equal(accepted.length, 50)
  line.drain()
  t.equal(line.size(), 0)
  line.push(jobOf('a1', 600))
  t.match(line.refusalOf(jobOf('b1', 600)), /in total/)
})

t.test('taken and removed jobs are no longer counted', async (t) => {
  const { line } = lineWith({ maxPerLane: { jobs: 2, chars: 1_000 } })
  const given = jobOf('a1', 600)
  line.push(given)
  line.push(jobOf('a2', 400))
  t.not(line.refusalOf(jobOf('a3', 1)), null)

  line.remove(given)
  line.remove(given)
  t.equal(line.refusalOf(jobOf('a3', 600)), null)
  t.not(line.refusalOf(jobOf('a3', 601)), null)
  line.take('general')
  line.push(jobOf('a3', 1_000))
  t.equal(line.size(), 1)
})
