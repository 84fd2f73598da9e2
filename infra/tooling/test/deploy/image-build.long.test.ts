import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { DockerfileParser } from 'dockerfile-ast'
import t from 'tap'
import { appNames } from '@filewright/runtime'
import { ROOT } from '../helpers/root.js'

t.setTimeout(600_000)

const file = DockerfileParser.parse(readFileSync(join(ROOT, 'infra/docker/Dockerfile'), 'utf8'))

/** What `docker build` sends: the folders that `.dockerignore` names, without its exceptions. */
function copyContext(target: string): void {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
  const left = lines.filter((line) => line !== '' && !/^[#!]/.test(line) && line !== '*')
  const names = left.filter((line) => line.startsWith('**/')).map((line) => line.slice('**/'.length))
  const isLeftOut = (path: string): boolean =>
    left.includes(relative(ROOT, path)) ||
    names.some((name) => (name.startsWith('*') ? path.endsWith(name.slice(1)) : basename(path) === name))
  for (const line of lines.filter((each) => each.startsWith('!'))) {
    const path = line.slice(1)
    cpSync(join(ROOT, path), join(target, path), { recursive: true, filter: (each) => !isLeftOut(each) })
  }
}

/** Links to the installed packages; those of the workspaces lead to the copy. */
function linkPackages(folder: string, target: string): void {
  mkdirSync(target)
  for (const name of readdirSync(folder)) {
    if (name === '@filewright') {
      cpSync(join(folder, name), join(target, name), { recursive: true, verbatimSymlinks: true })
    } else symlinkSync(join(folder, name), join(target, name))
  }
}

t.test('the images are built from what their context holds', async (t) => {
  const copy = t.testdir()
  copyContext(copy)
  linkPackages(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  for (const parent of ['apps', 'packages', 'infra']) {
    for (const name of readdirSync(join(copy, parent))) {
      const packages = join(ROOT, parent, name, 'node_modules')
      if (existsSync(packages)) linkPackages(packages, join(copy, parent, name, 'node_modules'))
    }
  }
  const [build = '', ...others] = file
    .getInstructions()
    .filter((instruction) => instruction.getKeyword() === 'RUN')
    .map((instruction) => instruction.getArgumentsContent() ?? '')
    .filter((command) => command.includes('bundle.mjs'))
  t.strictSame(others, [])

  execFileSync('sh', ['-c', build], { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] })

  for (const app of appNames) t.ok(existsSync(join(copy, 'apps', app, 'dist/bundle/main.js')), app)
})
