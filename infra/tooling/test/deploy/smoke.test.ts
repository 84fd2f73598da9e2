import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../helpers/root.js'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const script = read('infra/docker/smoke.sh')

function sourcesOf(workspace: string): string {
  const folder = join(workspace, 'src')
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => read(join(folder, path)))
    .join('\n')
}

t.test('the apps print every message that smoke.sh waits for', async (t) => {
  const sources = sourcesOf('apps/admin') + sourcesOf('packages/scanner')
  const messages = [...script.matchAll(/grep (?:-q )?'([a-z ]+)'/g)].map(([, message = '']) => message)

  t.equal(messages.length, 2)
  for (const message of messages) t.ok(sources.includes(message), message)
})

t.test('every recipe that smoke.sh runs is a code block in the guide', async (t) => {
  const recipes = [...script.matchAll(/ recipe (\S+) '(#+ [^']+)' (\d)/g)]

  t.ok(recipes.length >= 5)
  for (const [, page = '', heading = '', number] of recipes) {
    const section = read(`docs/operations/${page}.md`).split(`${heading}\n`)[1]?.split(/^## /m)[0] ?? ''
    const block = section.split('```sh\n')[Number(number)] ?? ''
    t.match(block, /^set -eu\n/, `${page}, ${heading}, block ${number}`)
  }
})
