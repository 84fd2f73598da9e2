import t from 'tap'
import { readAudit } from './helpers/audit.js'

const via = { title: 'Reads too far', url: 'https://example.com/1', range: '<2.0.0', severity: 'high' }
const metadata = { dependencies: { total: 700 } }

t.test('an audit names each advisory once, with its package', async (t) => {
  const vulnerabilities = { bad: { via: [via] }, user: { via: ['bad'] } }

  t.strictSame(readAudit(JSON.stringify({ vulnerabilities, metadata })), {
    advisories: ['bad <2.0.0: Reads too far (high, https://example.com/1)'],
    packages: 700
  })
})

t.test('an audit without findings is a result', async (t) => {
  t.strictSame(readAudit(`npm warn x\n${JSON.stringify({ vulnerabilities: {}, metadata })}`), {
    advisories: [],
    packages: 700
  })
})

t.test('an unreachable registry, or one without advisories, gives no result', async (t) => {
  t.strictSame(readAudit(JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405 })), {
    noAnswer: '405 Method Not Allowed'
  })
  t.strictSame(readAudit('npm error network\n'), { noAnswer: 'npm error network' })
  t.match(readAudit('{}'), { noAnswer: 'npm printed no report' })
})
