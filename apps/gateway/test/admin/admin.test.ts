import t from 'tap'
import { runAdmin } from '../../src/admin/admin.js'
import { startTestGateway } from '../helpers/test-gateway.js'

t.test('the admin commands', async (t) => {
  const gateway = await startTestGateway(t)
  const run = async (...args: string[]) => {
    const output = { code: 0, out: '', err: '' }
    output.code = await runAdmin(args, { database: gateway.database, out: (text) => { output.out += text }, err: (text) => { output.err += text } })
    return output
  }

  t.test('make a token that opens its projects and no other', async (t) => {
    const { code, out } = await run('token', 'create', '--name', 'ci', '--project', 'acme', '--project', 'beta,gamma', '--json')

    t.equal(code, 0)
    const { token, projects, name } = JSON.parse(out)
    t.match(token, /^fw_[0-9A-Za-z]{43}$/)
    t.strictSame(projects, ['acme', 'beta', 'gamma'])
    t.equal(name, 'ci')
    const list = async (project: string) => (await gateway.app.inject({ url: `/api/files?project_id=${project}`, headers: { authorization: `Bearer ${token}` } })).statusCode
    t.equal(await list('acme'), 200)
    t.equal(await list('other'), 403)
  })

  t.test('list tokens without their secrets, and revoke one at once', async (t) => {
    const { token, id } = JSON.parse((await run('token', 'create', '--name', 'short', '--project', '*', '--expires-in-days', '7', '--json')).out)
    const headers = { authorization: `Bearer ${token}` }
    t.equal((await gateway.app.inject({ url: '/api/files?project_id=a', headers })).statusCode, 200)

    const { out } = await run('token', 'list')
    t.match(out, 'short')
    t.notMatch(out, token)
    t.match(JSON.parse((await run('token', 'list', '--json')).out).find((entry: { id: string }) => entry.id === id), { name: 'short', revoked_at: null, expires_at: /Z$/ })

    t.match(await run('token', 'revoke', 'short'), { code: 0, out: 'Revoked 1 token' })
    t.equal((await gateway.app.inject({ url: '/api/files?project_id=a', headers })).statusCode, 401)
    t.match(await run('token', 'revoke', 'short'), { code: 1, out: /No live token/ })
  })

  t.test('print a token once for people', async (t) => {
    t.match(await run('token', 'create', '--name', 'x', '--project', 'acme'), { code: 0, out: /^fw_[0-9A-Za-z]{43}\n/ })
  })

  t.test('show projects and what they use', async (t) => {
    await gateway.store({ project: 'used', content: '12345' })

    t.match(JSON.parse((await run('project', 'list', '--json')).out).find((entry: { id: string }) => entry.id === 'used'), { files: 1, bytes: 5 })
    t.match(await run('project', 'list'), { code: 0, out: /used/ })
    t.match(JSON.parse((await run('project', 'usage', 'used', '--json')).out), { files: 1, bytes: 5, byKind: { code: { files: 1, bytes: 5 } } })
    t.match(await run('project', 'usage', 'used'), { code: 0, out: /code +1 +5/ })
    t.match(await run('project', 'usage', 'never-was'), { code: 1 })
  })

  t.test('explain themselves, and wrong usage', async (t) => {
    t.match(await run('--help'), { code: 0, out: /token create/ })
    t.match(await run(), { code: 2, out: /Usage/ })
    for (const args of [
      ['nonsense'], ['token', 'nonsense'], ['token', 'create'], ['token', 'create', '--name', 'x'], ['token', 'create', '--project', 'acme'],
      ['token', 'create', '--name', 'x', '--project', 'a/b'], ['token', 'create', '--name', 'x', '--project', 'a', '--expires-in-days', 'soon'],
      ['token', 'revoke'], ['project', 'usage'], ['token', 'list', '--wrong'], ['token', 'revoke', 'a', 'b']
    ]) t.match(await run(...args), { code: 2, err: /Try: npm run admin -- --help/ }, args.join(' '))
  })
})
