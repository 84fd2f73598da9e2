import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const NO_CHROMIUM = 'no chromium on the PATH: apt-get install --no-install-recommends chromium'

export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return ['chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path))
}
