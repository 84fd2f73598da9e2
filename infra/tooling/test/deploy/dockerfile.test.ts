import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DockerfileParser, type Copy } from 'dockerfile-ast'
import t from 'tap'
import { ROOT } from '../helpers/root.js'

const APPS = ['gateway', 'admin', 'scan-worker', 'inference-worker']
const file = DockerfileParser.parse(readFileSync(join(ROOT, 'infra/docker/Dockerfile'), 'utf8'))
const instructions = file.getInstructions()
const argumentsOf = (keyword: string): string[][] => instructions
  .filter((instruction) => instruction.getKeyword() === keyword)
  .map((instruction) => instruction.getArguments().map((argument) => argument.getValue()))

t.test('the image is built in stages, and the last one runs as an ordinary user', async (t) => {
  t.equal(file.getFROMs().length, 2)
  t.strictSame(argumentsOf('USER').at(-1), ['1000:1000'])
  t.strictSame(argumentsOf('STOPSIGNAL').at(-1), ['SIGTERM'])
})

t.test('whatever is copied from the context exists, and is not kept out by .dockerignore', async (t) => {
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
  const copies = file.getCOPYs().filter((copy: Copy) => copy.getFlags().length === 0)

  t.ok(copies.length > 0)
  for (const copy of copies) {
    for (const source of copy.getArguments().slice(0, -1).map((argument) => argument.getValue())) {
      t.ok(existsSync(join(ROOT, source)), source)
      t.ok(ignored.includes(`!${source.split('/')[0]}`), `${source} is let in`)
    }
  }
})

t.test('every workspace that the lock file names is there when dependencies are installed', async (t) => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, { link?: boolean, resolved?: string }> }
  const folders = Object.values(packages).flatMap(({ link, resolved }) => link === true && resolved !== undefined ? [resolved] : [])
  const copied = file.getCOPYs().flatMap((copy) => copy.getArguments().slice(0, -1).map((argument) => argument.getValue()))

  for (const folder of folders) t.ok(copied.some((source) => source === `${folder}/package.json` || folder.startsWith(`${source}/`)), folder)
})

t.test('the final command is a file that the build makes, for every app', async (t) => {
  const command = JSON.parse(argumentsOf('CMD').at(-1)?.join(' ') ?? '[]') as string[]
  const script = command.at(-1) ?? ''

  t.equal(command[0], 'node')
  for (const app of APPS) t.ok(existsSync(join(ROOT, script.replace('current', `apps/${app}`))), `${app}: ${script}`)
})

t.test('no secret can get into an image', async (t) => {
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#'))

  t.equal(ignored[0], '*', 'nothing is let in that is not named')
  t.strictSame(ignored.filter((line) => line.startsWith('!') && /env|data|git$/.test(line)), [])
})
