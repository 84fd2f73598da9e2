import t from 'tap'
import { filesRoute, formatRoute, parseRoute, type Route } from '../src/routes.js'

t.test('every view has a URL that leads back to it', async (t) => {
  const routes: Route[] = [
    { view: 'projects' },
    { view: 'service' },
    { view: 'code', tab: 'optimize', file: 'abc' },
    { view: 'code', tab: 'generate', file: '' },
    filesRoute('demo'),
    filesRoute('a project/with? #signs', {
      folder: 'Größe/日本 2026/50%',
      search: 'a&b=c',
      sort: 'size',
      page: 7,
      file: 'x'
    }),
    filesRoute('مشروع', { folder: 'مجلد' })
  ]
  for (const route of routes) t.strictSame(parseRoute(formatRoute(route)), route, formatRoute(route))
})

t.test('an unknown URL still leads to a view', async (t) => {
  t.strictSame(parseRoute(''), { view: 'projects' })
  t.strictSame(parseRoute('#/nowhere/else'), { view: 'projects' })
  t.strictSame(parseRoute('#/code/nothing'), { view: 'code', tab: 'analyze', file: '' })
  t.strictSame(parseRoute('#/files/demo?page=-3&sort=color'), filesRoute('demo'))
  t.strictSame(parseRoute('#/files/%E0%A4%A'), filesRoute('%E0%A4%A'))
})
