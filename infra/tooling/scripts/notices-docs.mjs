// Writes the list of third-party software that is shipped: node infra/tooling/scripts/notices-docs.mjs, after
// a build.
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { NOTICES_LIST, noticesList } from './notices.mjs'

const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../..')
const { appNames } = await import(pathToFileURL(join(ROOT, 'packages/runtime/dist/src/index.js')).href)

writeFileSync(join(ROOT, NOTICES_LIST), await noticesList(ROOT, appNames))
