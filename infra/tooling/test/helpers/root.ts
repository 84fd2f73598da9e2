import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout: five folders above the compiled file. */
export const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../../../..')
