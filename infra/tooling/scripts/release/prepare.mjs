// Writes a version to every place that has one, before it is committed and tagged.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../bin/lib/failure.mjs'
import { run } from '../../bin/lib/run.mjs'

/** @param {string} root @param {string} version */
export async function prepare(root, version) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) throw new Failure(`${version} is not a version`)
  const edit = (/** @type {string} */ path, /** @type {(text: string) => string} */ change) => {
    const text = readFileSync(join(root, path), 'utf8')
    const changed = change(text)
    if (changed === text) throw new Failure(`${path}: nothing to change`)
    writeFileSync(join(root, path), changed)
  }
  const { version: old, workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const folders = workspaces.flatMap((/** @type {string} */ pattern) =>
    pattern.endsWith('/*')
      ? readdirSync(join(root, pattern.slice(0, -2))).map((name) => `${pattern.slice(0, -1)}${name}`)
      : [pattern]
  )
  const bump = (/** @type {string} */ text) => text.replace(`"version": "${old}"`, `"version": "${version}"`)
  for (const folder of ['.', ...folders]) edit(join(folder, 'package.json'), bump)
  edit('package-lock.json', (text) => {
    const lock = JSON.parse(text)
    lock.version = version
    for (const folder of ['', ...folders]) lock.packages[folder].version = version
    return `${JSON.stringify(lock, null, 2)}\n`
  })
  for (const overlay of ['small', 'production']) {
    edit(`infra/k8s/overlays/${overlay}/kustomization.yaml`, (text) =>
      text.replaceAll(`newTag: ${old}`, `newTag: ${version}`)
    )
  }
  edit('CHANGELOG.md', (text) => text.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version}`))
  const { code, output } = await run(process.execPath, ['infra/tooling/scripts/helm-chart.mjs'], {
    cwd: root
  })
  if (code !== 0) throw new Failure(output)
}
