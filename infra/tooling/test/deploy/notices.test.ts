import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { appNames } from '@filewright/runtime'
import { ROOT } from '../helpers/root.js'

interface Notices {
  NOTICES_LIST: string
  noticesOfImage: (root: string, app: string) => string
  noticesList: (root: string, apps: readonly string[]) => Promise<string>
}

interface Licenses {
  listedPackages: (text: string) => Array<{ name: string; version: string; license: string }>
}

const load = async (name: string): Promise<unknown> =>
  await import(new URL(`../../../scripts/${name}.mjs`, import.meta.url).href)
const { NOTICES_LIST, noticesList, noticesOfImage } = (await load('notices')) as Notices
const { listedPackages } = (await load('bundle-licenses')) as Licenses

/** Licences of packages that may be shipped with MIT-licensed software, unchanged and with their text. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MPL-2.0',
  // 7-Zip: LGPL 2.1 with the unRAR restriction.
  'SEE LICENSE IN License.txt'
])

t.test(`${NOTICES_LIST} is up to date; npm run docs writes it`, async (t) => {
  t.equal(readFileSync(join(ROOT, NOTICES_LIST), 'utf8'), await noticesList(ROOT, appNames))
})

t.test('every package in an image has a licence that allows it, and its text', async (t) => {
  for (const app of appNames) {
    const text = noticesOfImage(ROOT, app)
    const packages = listedPackages(text)

    t.ok(packages.length > 50, `${app}: ${packages.length}`)
    t.strictSame(
      packages.filter(({ license }) => !ALLOWED.has(license)),
      [],
      app
    )
    const withoutText = text
      .split(`\n${'-'.repeat(78)}\n\n`)
      .filter((part) => part.trim().split('\n').length < 4)
    t.strictSame(withoutText.slice(withoutText[0]?.startsWith('Filewright') === true ? 1 : 0), [], app)
  }
})

t.test('images with 7-Zip, Pyodide and CPython contain the required licence texts', async (t) => {
  const scanWorker = noticesOfImage(ROOT, 'scan-worker')
  const inferenceWorker = noticesOfImage(ROOT, 'inference-worker')

  t.match(scanWorker, /GNU LESSER GENERAL PUBLIC LICENSE/)
  t.match(scanWorker, /unRAR sources cannot be used to re-create the RAR compression algorithm/)
  t.match(inferenceWorker, /Mozilla Public License Version 2\.0/)
  t.match(inferenceWorker, /PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2/)
  t.notMatch(noticesOfImage(ROOT, 'gateway'), /unRAR/)
})
