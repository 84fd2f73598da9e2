import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { ROOT } from './helpers/root.js'

const tracked = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: ROOT,
    encoding: 'utf8'
  })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const withoutCode = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```/gm, '')

/** Anchors as GitHub generates them. A heading that occurs twice is not used as a link target here. */
const anchorsOf = (path: string): Set<string> =>
  new Set(
    [...withoutCode(read(path)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-')
    )
  )

const pages = tracked('*.md').filter(
  (path) => !path.includes('/test/') && !path.includes('/src/') && path !== 'CHANGELOG.md'
)

t.test('every relative link in the documentation leads to a file, and its anchor to a heading', async (t) => {
  for (const page of pages) {
    const links = [
      ...withoutCode(read(page))
        .replace(/`[^`\n]*`/g, '')
        .matchAll(/\]\((?!https?:)([^)\s]*)\)/g)
    ]
    for (const [, link = ''] of links) {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : join(dirname(page), path)
      if (!t.ok(existsSync(join(ROOT, target)), `${page}: ${link}`) || anchor === undefined) continue
      t.ok(statSync(join(ROOT, target)).isFile() && anchorsOf(target).has(anchor), `${page}: ${link}`)
    }
  }
})

t.test('the messages on the troubleshooting page are the ones that the product prints', async (t) => {
  const sources = tracked(
    'apps/*/src/*.ts',
    'packages/*/src/*.ts',
    'infra/local/src/*.ts',
    'infra/tooling/bin/*.mjs'
  )
    .map(read)
    .join('\n')
    // A string may be written in two pieces.
    .replace(/' \+\n\s*'/g, '')
  const messages = [...read('docs/troubleshooting.md').matchAll(/^> (.+)$/gm)].map(
    ([, message = '']) => message
  )

  t.ok(messages.length >= 20, 'the page quotes messages')
  for (const message of messages) {
    // Examples of variable parts are in backticks.
    for (const words of message.split(/`[^`]*`/)) {
      t.ok(sources.includes(words.trim()), `"${words.trim()}" is printed somewhere`)
    }
  }
})

t.test(
  'the pictures of the README exist, are PNGs or SVGs of less than 300 kB, and every stored picture is shown',
  async (t) => {
    const readme = read('README.md')
    const shown = [...readme.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path = '']) => path)
    t.strictSame([...shown].sort(), tracked('docs/images/*').sort())
    t.match(readme, /<picture>[^]*prefers-color-scheme: dark[^]*<img [^>]*alt="[^"]{20,}"[^]*<\/picture>/)
    for (const path of shown) {
      const bytes = readFileSync(join(ROOT, path))
      const start = bytes.subarray(0, 4).toString('latin1')
      t.equal(start, path.endsWith('.svg') ? '<svg' : '\u0089PNG', path)
      t.ok(bytes.length < 300_000, `${path} has ${bytes.length} bytes`)
    }
  }
)
