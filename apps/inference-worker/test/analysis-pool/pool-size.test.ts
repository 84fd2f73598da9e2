import t from 'tap'
import { defaultPoolSize } from '../../src/analysis-pool/pool-size.js'

const GB = 1024 ** 3

t.test(
  'the pool has as many processes as fit into memory at their maximum, including the one for small jobs',
  async (t) => {
    t.equal(defaultPoolSize({ cores: 8, memoryBytes: 2 * GB }), 1)
    t.equal(defaultPoolSize({ cores: 8, memoryBytes: 3 * GB }), 2)
    t.equal(defaultPoolSize({ cores: 8, memoryBytes: 64 * GB }), 4)
  }
)

t.test('the pool leaves a core free, and has at least one process', async (t) => {
  t.equal(defaultPoolSize({ cores: 3, memoryBytes: 64 * GB }), 2)
  t.equal(defaultPoolSize({ cores: 1, memoryBytes: GB / 2 }), 1)
})

t.test('a machine without a memory limit still gets a pool', async (t) => {
  t.ok(defaultPoolSize() >= 1)
})
