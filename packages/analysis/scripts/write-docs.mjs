import { writeFile } from 'node:fs/promises'
import { rulesDocument } from '../dist/src/document.js'

await writeFile(new URL('../../../docs/analysis-rules.md', import.meta.url), rulesDocument())
