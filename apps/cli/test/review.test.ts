import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { shareStack } from '@filewright/testing'
import { hostFor, hostNames } from '../src/review/hosts.js'
import { asMarkdown, codeBlock, inert, inlineCode } from '../src/review/markdown.js'
import { createPoster, MARK } from '../src/review/post.js'
import { filewright, type Ended } from './helpers.js'
import { startPeer, TOKEN } from './pull-request-peer.js'
import { repositoryIn, type Repository } from './repository.js'

t.setTimeout(300_000)

const stack = await shareStack(t)
const base = { FILEWRIGHT_URL: stack.baseUrl, FILEWRIGHT_TOKEN: stack.token, XDG_CONFIG_HOME: t.testdir() }

type Run = (env: Record<string, string>, ...args: string[]) => Promise<Ended>

async function projectOf(t: Test, files: Record<string, string>): Promise<Repository & { review: Run }> {
  const repository = await repositoryIn(t.testdir())
  await repository.commit(files)
  const review: Run = async (env, ...args) =>
    await filewright({ cwd: repository.path, env: { ...base, ...env } }, 'review', ...args)
  return { ...repository, review }
}
const manyOf = (count: number): string => Array.from({ length: count }, (_, i) => `eval(x + ${i})\n`).join('')

t.test(
  '500 old findings and a new one produce one comment, which is later updated and marked resolved',
  async (t) => {
    const old = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`src/f${i}.js`, manyOf(50)]))
    const project = await projectOf(t, old)
    await project.git('checkout', '-q', '-b', 'change')
    const bug = 'export const run = (input) => eval(input)\n'
    await project.commit({ 'src/f3.js': `${manyOf(20)}${bug}${manyOf(20)}`, 'notes.md': '# x\n' })
    const args = ['--since', 'main', '--no-fixes']

    const { comments } = JSON.parse((await project.review({}, ...args, '--json')).out)
    t.match(comments, [{ path: 'src/f3.js', line: 21, rule: 'js/no-eval', level: 'error' }])
    t.equal(comments.length, 1)

    for (const name of hostNames) {
      const peer = await startPeer(t, name, 2)
      peer.comments.push(
        { id: 1, user: 'somebody', body: `${MARK}\nforged` },
        { id: 2, user: 'review-bot', body: `a quote: ${MARK}` },
        { id: 3, user: 'somebody', body: 'Hello' }
      )
      const post = async (): Promise<Ended> => await project.review(peer.env, ...args, '--post', name)
      const own = (): string[] => peer.comments.slice(3).map(({ body }) => body)

      const first = await post()
      t.match(first, { code: 0, note: /The review is posted\n$/ }, name)
      t.match(own(), [/^<!-- filewright-review -->\n<!-- reported:.* -->\nFilewright: 1 new finding\.\n/])
      t.match(own()[0], '`src/f3.js:21`')
      const before = peer.requests.filter((each) => !each.startsWith('GET')).length
      t.match(await post(), { note: /The comment of the last run says the same\n$/ })
      t.equal(peer.requests.filter((each) => !each.startsWith('GET')).length, before, 'nothing is written')
      t.equal(own().length, 1, 'run twice, still one')

      await project.write({ 'src/f3.js': `${manyOf(20)}${manyOf(20)}` })
      t.match(await post(), { note: /The comment of the last run is updated\n$/ })
      t.match(own(), [/Filewright: nothing to say\.\n\n- ~~`src\/f3\.js:21` `js\/no-eval`~~ resolved/])
      t.equal(own().length, 1)
      t.strictSame(peer.comments[0]?.body, `${MARK}\nforged`, 'a comment of somebody else stays')
      t.notMatch(JSON.stringify([first, own()]), TOKEN)
      await project.git('checkout', '-q', '--', '.')
    }
  }
)

t.test('a change without new findings prints "nothing to say" and posts nothing', async (t) => {
  const project = await projectOf(t, { 'a.js': 'eval(x)\n' })
  await project.write({ 'a.js': '\n  eval(x)\n' })
  t.equal((await project.review({}, '--since', 'HEAD')).out, 'nothing to say\n')
  t.equal((await project.review({}, '--since', 'HEAD', '--markdown')).out, 'Filewright: nothing to say.\n')
  const peer = await startPeer(t, 'github')
  t.match(await project.review(peer.env, '--since', 'HEAD', '--post', 'github'), {
    code: 0,
    note: /There is nothing to post\n$/
  })
  t.strictSame(peer.comments, [])
})

t.test('proven findings come first, at most ten are shown, and fixes apply cleanly', async (t) => {
  const project = await projectOf(t, { 'a.js': 'export const one = 1\n' })
  await project.write({
    'a.js': `export const one = 1\n${manyOf(12)}`,
    'b.js': "exports.list = (folder) => require('child_process').execSync('ls ' + folder)\n",
    'c.js': 'export function same (a) {\n  var b = a\n  return b\n}\n'
  })
  const { comments, more } = JSON.parse(
    (await project.review({}, '--since', 'HEAD', '--json', '--no-fixes')).out
  )
  t.equal(comments.length, 10)
  t.ok(more >= 3)
  t.match(comments[0], { path: 'b.js', proof: { input: 'list("; injected #")' } })
  const text = await project.review({}, '--since', 'HEAD', '--no-fixes')
  t.match(text.out, /; \d+ more findings of less harm\nAll new findings: filewright analyze --since HEAD\n$/)
  const markdown = await project.review({}, '--since', 'HEAD', '--markdown', '--no-fixes')
  t.match(markdown.out, 'Proven: `list("; injected #")`')

  const fixed = JSON.parse((await project.review({}, 'c.js', '--since', 'HEAD', '--json')).out)
  const [remark] = fixed.comments.filter(({ fix }: { fix?: object }) => fix !== undefined)
  t.ok(remark, JSON.stringify(fixed))
  const { first, last, lines } = remark.fix
  const own = 'export function same (a) {\n  var b = a\n  return b\n}\n'.split('\n')
  const patch = [
    '--- a/c.js',
    '+++ b/c.js',
    `@@ -${first},${last - first + 1} +${first},${lines.length} @@`,
    ...own.slice(first - 1, last).map((line) => `-${line}`),
    ...lines.map((line: string) => `+${line}`),
    ''
  ].join('\n')
  await writeFile(join(project.path, 'fix.patch'), patch)
  await promisify(execFile)('git', ['apply', '--unidiff-zero', 'fix.patch'], { cwd: project.path })
  const after = JSON.parse((await project.review({}, 'c.js', '--since', 'HEAD', '--json', '--no-fixes')).out)
  t.notOk(after.comments.some(({ rule }: { rule: string }) => rule === remark.rule))
})

t.test('a patch is reviewed against the work tree, and one that does not match is refused', async (t) => {
  const project = await projectOf(t, { 'src/a.js': 'one()\neval(old)\ntwo()\n', 'src/ü.js': 'one()\n' })
  await symlink('/etc', join(project.path, 'etc'))
  const reviewed = async (patch: string): Promise<Ended> => {
    await writeFile(join(project.path, 'x.patch'), patch)
    return await project.review({}, '--patch', 'x.patch', '--json', '--no-fixes')
  }
  await project.write({ 'src/a.js': 'one()\neval(old)\ntwo()\neval(fresh)\n', 'src/ü.js': 'eval(u)\n' })
  const real = await project.git('-c', 'core.quotePath=false', 'diff')
  await project.git('checkout', '-q', '--', '.')
  const places = ({ out }: Ended): string[] =>
    JSON.parse(out).comments.map(({ path, line }: { path: string; line: number }) => `${path}:${line}`)
  t.strictSame(places(await reviewed(real)), ['src/a.js:4', 'src/ü.js:1'])
  t.equal(await project.git('status', '--porcelain', 'src'), '', 'nothing is written')
  const moved = '--- a/src/a.js\n+++ b/src/a.js\n@@ -2,2 +2,3 @@\n eval(old)\n+eval(fresh)\n two()\n'
  t.strictSame(
    places(await reviewed(moved.replace('-2,2 +2,3', '-1,2 +1,3'))),
    ['src/a.js:3'],
    'a wrong number'
  )
  t.strictSame(places(await reviewed('--- /dev/null\n+++ b/new.js\n@@ -0,0 +1 @@\n+eval(n)\n')), ['new.js:1'])
  const refused: Array<[string, RegExp]> = [
    [moved.replace(' two()', ' three()'), /^--patch: it does not apply to src\/a\.js/],
    [moved.replaceAll('src/a.js', '../../a.js'), /is not a path in this repository/],
    [moved.replaceAll('a/src/a.js', '/etc/a.js'), /is not a path in this repository/],
    [moved.replaceAll('src/a.js', 'etc/passwd.js'), /there is no file|is not a regular file/],
    [moved.replaceAll('src/a.js', '.git/config.js'), /is not a path in this repository/],
    [moved.replaceAll('src/a.js', 'none.js'), /there is no file none\.js/],
    [moved.replace('-2,2 +2,3', '-2,9 +2,9'), /it is not a unified diff/],
    [moved + moved, /twice|does not apply|not a unified diff/],
    ['not a patch\n', /it is not a unified diff/],
    ['--- a\n', /it is not a unified diff/]
  ]
  for (const [patch, reason] of refused) t.match(await reviewed(patch), { code: 1, note: reason }, patch)
  t.match(await reviewed('\n'), { code: 0, note: /x\.patch: it is empty\n/ })
  t.match(await project.review({}, '--patch', 'x.patch', '--since', 'HEAD'), { code: 3 })
})

t.test('a comment is never truncated: a long fix is omitted, and the tenth finding is listed', async (t) => {
  const project = await projectOf(t, { 'a.js': 'one()\n' })
  const names = Array.from({ length: 10 }, (_, i) => `${'n'.repeat(150)}${i} @octocat _x_.js`)
  await project.write(
    Object.fromEntries(names.map((name) => [name, `var s = "${'y'.repeat(1_700)}"\nuse(s)\n`]))
  )
  const { out } = await project.review({}, '--since', 'HEAD', '--markdown')
  t.ok(out.length < 50_000, `${out.length} characters`)
  t.match(out, /^10\. .*\n\n {4}```/m)

  const finding = {
    rule: 'js/no-var',
    level: 'note',
    type: 'suggestion',
    message: 'm',
    line: 1,
    help: ''
  } as const
  const remark = {
    path: 'a.js',
    finding: { ...finding, category: undefined },
    fix: { first: 1, last: 1, lines: ['y'.repeat(2_000)] }
  }
  const long = asMarkdown({ remarks: [remark], more: 0, suppressed: 0 }, new Map())
  t.match(long, /A fix after which the finding is gone is too long for a comment\.\s*$/)
})

t.test('text from the code is never interpreted as markup in a comment', async (t) => {
  const project = await projectOf(t, { 'a.js': 'one()\n' })
  const line = 'eval("@octocat <img src=x> ![a](http://evil/x.png) ``` #1 \u202e")'
  await project.write({ 'a.js': `one()\n${line}\n`, '@team `x` <b>.js': 'eval(x)\n' })
  const { out } = await project.review({}, '--since', 'HEAD', '--markdown', '--no-fixes')
  const outside = out.replace(/(`{3,})\n[\s\S]*?\1/g, '').replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '')
  t.notMatch(outside, /@\w|<img|<b>|!\[|\]\(http/)
  t.notMatch(out, '\u202e')
  t.match(out, '``@team `x` <b>.js:1``')

  t.equal(inert('@octocat'), '@\u200boctocat')
  t.notMatch(inert('/close\n/approve'), /^\//m)
  t.notMatch(
    inert('![x](https://evil.example/a.png) <img> #12 GH-1 owner/repo#3 www.x.y'),
    /<|!\[|https:\/\/|#\d|www\.x/
  )
  for (const [text, shown] of [
    ['Use `a[0]` (or `b_c`): "no" - x=1, snake_case.', 'Use `a[0]` (or `b_c`): "no" - x=1, snake_case.'],
    ['_a_ **b** ~c~ $d$ [e](f)', '\\_a\\_ \\*\\*b\\*\\* \\~\u200bc\\~ \\$\u200bd\\$ \\[e\\](f)'],
    ['- a `b', '\\- a \\`b'],
    ['1. a && b', '1\\. a &amp;&amp; b'],
    [
      '_www.x.y WWW.x :a: [b:1] 0123abc deadbeef',
      '\\_ww\u200bw.x.y WW\u200bW.x :\u200ba: \\[\u200bb:1\\] 0\u200b123abc deadbeef'
    ],
    ['GH-1 !2 &3 a/b#4 {+5', 'GH\u200b-1 !\u200b2 &amp;\u200b3 a/b#\u200b4 {\u200b+5'],
    ['\\`a`', '\\\\`a`'],
    ['`a` `` b `` `@c`', '`a` \\`\\` b \\`\\` `@c`']
  ] as const) {
    t.equal(inert(text), shown)
  }
  t.equal(inlineCode('a ``b`` c'), '```a ``b`` c```')
  t.equal(inlineCode('`a`'), '`` `a` ``')
  t.equal(codeBlock('a\n````\nb\n', 'diff'), '`````diff\na\n````\nb\n`````')
})

t.test('errors name refusals, limits and redirects of the host, but never the token', async (t) => {
  for (const name of hostNames) {
    const peer = await startPeer(t, name)
    const waits: number[] = []
    const poster = () =>
      createPoster(hostFor(name, peer.env), async (ms) => {
        waits.push(ms)
      })
    const refused = async (status: number, sentence: string): Promise<void> => {
      peer.failures = [{ status }]
      await t.rejects(poster().post('x', false), {
        message: new RegExp(`^${name} answers ${status}.*${sentence}`)
      })
    }
    await refused(401, 'the token is not accepted')
    await refused(404, 'there is no such pull request')
    await refused(422, 'the comment is refused')
    await refused(302, '')
    peer.failures = [{ status: 429, headers: { 'retry-after': '7' } }]
    t.equal(await poster().post('x', false), 'created')
    t.strictSame(waits, [7_000])
    peer.failures = [{ status: 429, headers: { 'retry-after': '3600' } }]
    await t.rejects(poster().post('x', false), { message: /answers 429/ }, 'nobody waits for an hour')
    const wrong = createPoster(
      hostFor(name, { ...peer.env, GITHUB_TOKEN: 'bad', GITEA_TOKEN: 'bad', GITLAB_TOKEN: 'bad' })
    )
    const error = await wrong.post('x', false).catch((each: unknown) => String(each))
    t.match(error, 'answers 401')
    t.notMatch(error, 'bad')
    t.equal(peer.comments.length, 1)
  }
})

t.test("a GitHub workflow's token, which cannot query its user, updates its own comment", async (t) => {
  const peer = await startPeer(t, 'github')
  peer.isAnonymous = true
  peer.comments.push({ id: 1, user: 'somebody', body: `${MARK}\nforged` })
  const host = hostFor('github', peer.env)
  t.equal(await createPoster(host).post('one', false), 'created')
  t.equal(await createPoster(host).post('two', false), 'updated')
  t.strictSame(
    peer.comments.map(({ user, body }) => `${user}: ${body}`),
    [`somebody: ${MARK}\nforged`, `github-actions[bot]: ${MARK}\ntwo`]
  )
})

t.test('a wrong environment is refused before anything is analyzed or sent', async (t) => {
  const project = await projectOf(t, { 'a.js': 'eval(x)\n' })
  const peer = await startPeer(t, 'github')
  for (const wrong of [
    { GITHUB_TOKEN: '' },
    { GITHUB_REPOSITORY: '../..' },
    { GITHUB_REPOSITORY: 'o/r/../../x' },
    { GITHUB_REF: 'refs/heads/main' },
    { GITHUB_API_URL: 'file:///etc' },
    { GITHUB_API_URL: 'http://user:pass@127.0.0.1' }
  ]) {
    const ended = await project.review({ ...peer.env, ...wrong }, '--since', 'HEAD', '--post', 'github')
    t.equal(ended.code, 3, JSON.stringify(wrong))
    t.notMatch(ended.note, TOKEN)
  }
  t.strictSame(peer.requests, [])
  t.match(await project.review({}), { code: 3, note: /^Name what to compare with/ })
  t.match(await project.review({ GITHUB_BASE_REF: 'nothing' }), { code: 1, note: 'no commit origin/nothing' })
})
