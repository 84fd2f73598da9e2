import t from 'tap'
import { startTestGateway } from '../../helpers/test-gateway.js'

const gateway = await startTestGateway(t)
for (const [project, folder, content] of [
  ['one', 'a', '1'],
  ['one', 'a/b', '22'],
  ['one', 'c', '333'],
  ['one', undefined, '4444'],
  ['two', undefined, '55555']
] as const) {
  await gateway.store({ project, content, ...(folder === undefined ? {} : { folder }) })
}
const asked = async (url: string, token: string) =>
  await gateway.app.inject({ url, headers: { authorization: `Bearer ${token}` } })

t.test('lists the projects the token can see, with their files and bytes', async (t) => {
  const all = await asked('/api/projects', await gateway.token('*'))
  t.equal(all.statusCode, 200)
  t.strictSame(all.json(), {
    projects: [
      { id: 'one', files: 4, bytes: 10 },
      { id: 'two', files: 1, bytes: 5 }
    ]
  })
  t.ok(all.headers['ratelimit-limit'] === undefined || Number(all.headers['ratelimit-limit']) > 0)

  const own = await asked('/api/projects', await gateway.token('two', 'never-was'))
  t.strictSame(own.json(), { projects: [{ id: 'two', files: 1, bytes: 5 }] })
  const none = await asked('/api/projects', await gateway.token('never-was'))
  t.strictSame(none.json(), { projects: [] })
})

t.test('continues the list after the given project', async (t) => {
  const token = await gateway.token('*')
  t.strictSame(
    (await asked('/api/projects?after=one', token)).json().projects.map(({ id }: { id: string }) => id),
    ['two']
  )
  t.equal((await asked('/api/projects?after=one&after=two', token)).statusCode, 400)
})

t.test('lists direct sub-folders, with counts of everything below', async (t) => {
  const folders = async (query: string) => (await gateway.get(`/api/folders?project_id=one${query}`)).json()

  t.strictSame(await folders(''), {
    folders: [
      { name: 'a', files: 2, bytes: 3 },
      { name: 'c', files: 1, bytes: 3 }
    ]
  })
  t.strictSame(await folders('&folder=/a/'), { folders: [{ name: 'b', files: 1, bytes: 2 }] })
  t.strictSame(await folders('&folder=a/b'), { folders: [] })
  t.strictSame(await folders('&after=a'), { folders: [{ name: 'c', files: 1, bytes: 3 }] })
})

t.test('folders of another project are forbidden, whether the project exists or not', async (t) => {
  const token = await gateway.token('two')
  for (const project of ['one', 'never-was']) {
    const response = await asked(`/api/folders?project_id=${project}`, token)
    t.equal(response.statusCode, 403)
    t.strictSame(response.json(), { error: 'Forbidden' })
  }
})

t.test('other methods and invalid fields are refused', async (t) => {
  t.equal((await asked('/api/folders', await gateway.token('*'))).json().error, 'project_id is required')
  t.equal((await gateway.get('/api/folders?project_id=one&folder=..')).statusCode, 400)
  const headers = { authorization: `Bearer ${await gateway.token('*')}` }
  const posted = await gateway.app.inject({ method: 'POST', url: '/api/projects', headers })
  t.equal(posted.statusCode, 405)
  t.equal((await gateway.app.inject({ url: '/api/projects' })).statusCode, 401)
})
