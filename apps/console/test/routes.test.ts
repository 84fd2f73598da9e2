import t from 'tap'
import { filesRoute, formatRoute, parseRoute, webhooksRoute, type Route } from '../src/routes.js'

t.test('every view has a URL that leads back to it', async (t) => {
  const routes: Route[] = [
    { view: 'projects' },
    { view: 'service' },
    { view: 'history', request: '' },
    { view: 'history', request: '1bHq7TzM5pKd3wVxR0eGuA' },
    { view: 'rules', rule: '' },
    { view: 'trash', project: 'a/b c', page: 1 },
    { view: 'trash', project: 'demo', page: 3 },
    webhooksRoute('a/b c'),
    { ...webhooksRoute('demo', 'abc'), state: 'failed' },
    { view: 'rules', rule: 'js/sql-injection' },
    { view: 'not-found', hash: '#/nowhere/else' },
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

t.test('an unknown URL is not found, and a wrong option is ignored', async (t) => {
  t.strictSame(parseRoute(''), { view: 'projects' })
  for (const hash of [
    '#/nowhere/else',
    '#/code/nothing',
    '#/service/more',
    '#/history/one/two',
    '#/trash',
    '#/trash/demo/inner',
    '#/webhooks',
    '#/webhooks/demo/abc/more'
  ]) {
    t.strictSame(parseRoute(hash), { view: 'not-found', hash })
  }
  t.strictSame(parseRoute('#/code'), { view: 'code', tab: 'analyze', file: '' })
  t.strictSame(parseRoute('#/files/demo?page=-3&sort=color'), filesRoute('demo'))
  t.strictSame(parseRoute('#/webhooks/demo/abc?state=gone'), webhooksRoute('demo', 'abc'))
  t.strictSame(parseRoute('#/files/%E0%A4%A'), filesRoute('%E0%A4%A'))
})
