import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DockerfileParser, type Instruction } from 'dockerfile-ast'
import t from 'tap'
import { appNames } from '@filewright/runtime'
import { ROOT } from '../helpers/root.js'
import { startCommand } from './helpers/start-command.js'

const recipe = readFileSync(join(ROOT, 'infra/docker/Dockerfile'), 'utf8')
const file = DockerfileParser.parse(recipe)
const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

const textOf = (instruction: Instruction): string =>
  `${instruction.getKeyword()} ${instruction
    .getArguments()
    .map((argument) => argument.getValue())
    .join(' ')}`

/** The lines of each stage, by its name. */
const stages = new Map<string, string[]>()
for (const instruction of file.getInstructions()) {
  const text = textOf(instruction)
  if (instruction.getKeyword() === 'FROM') stages.set(/ AS (\S+)$/.exec(text)?.[1] ?? 'last', [text])
  else [...stages.values()].at(-1)?.push(text)
}
const stageOf = (name: string): string[] => stages.get(name) ?? []

t.test('every app has a stage that starts it with the same command as npm start', async (t) => {
  t.strictSame(stageOf('last'), ['FROM ${APP}']) // eslint-disable-line no-template-curly-in-string
  for (const app of appNames) {
    const [from, command = ''] = stageOf(app)
    t.equal(from, `FROM run AS ${app}`)
    t.strictSame(JSON.parse(command.slice('CMD '.length)), startCommand(app), app)
  }
})

t.test('images and continuous integration run the same major version of Node.js', async (t) => {
  const developed = readFileSync(join(ROOT, '.nvmrc'), 'utf8').trim()
  const base = /^ARG NODE=node:(\d+)-\w+-slim$/m.exec(recipe)?.[1]

  t.equal(base, '24')
  t.equal(developed, base)
})

t.test('the image runs as an ordinary user and contains only packed files', async (t) => {
  t.ok(stageOf('run').includes('USER 1000:1000'))
  t.ok(stageOf('run').includes('STOPSIGNAL SIGTERM'))
  t.strictSame(
    stageOf('run').filter((line) => /^(COPY|ADD|RUN) /.test(line)),
    ['COPY /app ./']
  )
  t.match(stageOf('build').at(-1), /^RUN node infra\/tooling\/scripts\/pack\.mjs \S+ \/app$/)
})

t.test('dependencies are installed before any source is copied', async (t) => {
  const build = stageOf('build')
  const install = build.findIndex((line) => line.includes('npm ci'))

  t.strictSame(
    build.slice(0, install).filter((line) => line.startsWith('COPY')),
    ['COPY /src ./']
  )
  t.match(
    file
      .getCOPYs()
      .find((copy) => textOf(copy) === 'COPY /src ./')
      ?.getFlags()
      .map(String),
    ['--from=manifests']
  )
  t.ok(build.slice(install).includes('COPY . .'))
})

t.test('every workspace in the lock file is included', async (t) => {
  interface LockFile {
    packages: Record<string, { link?: boolean; resolved?: string }>
  }
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as LockFile
  const folders = Object.values(packages).flatMap(({ link, resolved = '' }) =>
    link === true ? [resolved] : []
  )

  t.ok(folders.length > 0)
  for (const folder of folders) {
    t.ok(existsSync(join(ROOT, folder, 'package.json')))
    t.ok(ignored.includes(`!${folder.split('/')[0]}`) && !ignored.includes(folder), folder)
  }
})

t.test('no secret can get into an image', async (t) => {
  t.equal(ignored[0], '*', 'nothing is let in that is not named')
  t.strictSame(
    ignored.filter((line) => line.startsWith('!') && /env|data|git$/.test(line)),
    []
  )
})
