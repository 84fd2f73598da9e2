import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Failpoints {
  /** The value of FAILPOINTS for the apps. */
  readonly folder: string
  /** The next `times` calls of the point do this: `kill`, or the code of an error to throw. */
  arm: (point: string, action: string, times?: number) => void
  /** The number of remaining actions. */
  left: (point: string) => number
  disarm: (point: string) => void
  remove: () => void
}

export async function createFailpoints(): Promise<Failpoints> {
  const folder = await mkdtemp(join(tmpdir(), 'filewright-failpoints-'))
  const pathOf = (point: string): string => join(folder, point)
  return {
    folder,
    arm: (point, action, times = 1) =>
      writeFileSync(pathOf(point), Array.from({ length: times }, () => action).join('\n')),
    left: (point) =>
      existsSync(pathOf(point))
        ? readFileSync(pathOf(point), 'utf8')
            .split('\n')
            .filter((line) => line !== '').length
        : 0,
    disarm: (point) => rmSync(pathOf(point), { force: true }),
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
