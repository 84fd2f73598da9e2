// Writes infra/helm/filewright and the alert rules for the Prometheus Operator, from infra/k8s; with --check only compares.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chartFiles, prometheusRule } from './helm/chart.mjs'

const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../..')
const CHART = 'infra/helm/filewright'
const check = process.argv.includes('--check')

/** @param {string} path @param {string} text */
function put(path, text) {
  if (!check) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), text)
  } else if (readOrEmpty(path) !== text) stale(path)
}

/** @param {string} path */
function readOrEmpty(path) {
  try {
    return readFileSync(join(ROOT, path), 'utf8')
  } catch {
    return ''
  }
}

/** @param {string} path */
function stale(path) {
  process.stderr.write(`${path} is stale: npm run docs\n`)
  process.exitCode = 1
}

put('infra/k8s/components/prometheus-operator/alerts.yaml', prometheusRule(ROOT))
const files = chartFiles(ROOT)
for (const name of readdirSync(join(ROOT, CHART, 'templates'))) {
  if (files.has(`templates/${name}`) || !name.endsWith('.yaml')) continue
  if (check) stale(`${CHART}/templates/${name}`)
  else rmSync(join(ROOT, CHART, 'templates', name))
}
for (const [path, text] of files) put(`${CHART}/${path}`, text)
