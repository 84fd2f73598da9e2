import t from 'tap'
import { startTestGateway } from '../helpers/test-gateway.js'

const HEADER = 'strict-transport-security'

t.test('with an https base URL, every response tells browsers to keep using https', async (t) => {
  const gateway = await startTestGateway(t, { baseUrl: 'https://files.test', cdnUrl: 'https://cdn.test' })
  const id = await gateway.store()

  for (const url of ['/', '/api/files?project_id=acme', '/nowhere', `/api/files/${id}/download`]) {
    t.equal((await gateway.get(url)).headers[HEADER], 'max-age=31536000', url)
  }
  t.equal((await gateway.app.inject({ url: '/api/files' })).headers[HEADER], 'max-age=31536000', '401')
})

t.test('if either address is not https, there is no such header', async (t) => {
  for (const addresses of [
    { baseUrl: 'http://files.test', cdnUrl: 'http://cdn.test' },
    { baseUrl: 'https://files.test', cdnUrl: 'http://cdn.test' }
  ]) {
    const gateway = await startTestGateway(t, addresses)

    t.notOk((await gateway.get('/')).headers[HEADER], JSON.stringify(addresses))
  }
})
