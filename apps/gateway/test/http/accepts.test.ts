import t from 'tap'
import { accepts } from '../../src/http/accepts.js'

t.test('a media type is matched by its exact name, case-insensitively, with a weight above 0', async (t) => {
  const sarif = 'application/sarif+json'
  for (const header of [
    sarif,
    'Application/SARIF+JSON',
    `text/html, ${sarif};q=0.5`,
    `${sarif} ; version=2`
  ]) {
    t.equal(accepts(header, sarif), true, header)
  }
  for (const header of [
    undefined,
    '',
    '*/*',
    `x${sarif}x`,
    `${sarif};q=0, application/json`,
    `${sarif}; q=0.000`
  ]) {
    t.equal(accepts(header, sarif), false, header ?? 'none')
  }
})
