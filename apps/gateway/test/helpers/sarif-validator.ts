import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

/** Checks against the schema that OASIS publishes. */
export async function sarifValidator(): Promise<ValidateFunction> {
  const path = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/package.json')
  const schema = JSON.parse(await readFile(join(path, '../lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'))
  // The schema uses an older draft than this validator's default.
  const ajv = new Ajv({ strict: false, validateSchema: false, unicodeRegExp: false })
  addFormats.default(ajv)
  const { id: _id, $schema: _draft, ...rules } = schema
  return ajv.compile(rules)
}
