import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { filewright, type Ended, type Shell } from '../helpers.js'
import { hostileServer, type Hostile } from './server.js'

/** What no terminal may receive: control sequences, and characters that change how text reads. */
export const OBEYED = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/u

// eslint-disable-next-line no-control-regex -- the command's own
const REDRAW = /\u001b\[\d+A\u001b\[J/g

/** Without the control sequences that the command itself uses to redraw its progress. */
export const withoutRedraws = (note: string): string => note.replaceAll(REDRAW, '')

const IS_A_CRASH = /\bat [^ ]+ \(|Cannot read properties|is not a function|is not iterable/

export interface Sandbox {
  hostile: Hostile
  /** A terminal in a folder with `a.js` and the folders `up` and `target`. */
  shell: Shell
  target: string
  /** Runs the command with an empty target, and checks what it wrote and where. */
  assertHarmless: (t: Test, args: string[], what: string, by?: Shell) => Promise<Ended>
}

export async function createSandbox(t: Test): Promise<Sandbox> {
  const hostile = await hostileServer(t)
  const root = t.testdir({
    work: { up: { 'b.txt': 'b' }, 'a.js': 'let a = 1\n' },
    // Where a draft would be written and removed if a hash from the server were part of its path.
    'pwned..part': 'keep me'
  })
  const work = join(root, 'work')
  const target = join(work, 'target')
  const shell: Shell = {
    cwd: work,
    env: { FILEWRIGHT_URL: hostile.url, FILEWRIGHT_TOKEN: 't', XDG_CONFIG_HOME: join(work, 'config') },
    isTerminal: true,
    isOutTerminal: true,
    input: 'yes'
  }
  const outside = async (): Promise<string> => {
    const names = await readdir(root, { recursive: true })
    return JSON.stringify(names.filter((name) => !join(root, name).startsWith(target)).sort())
  }
  const before = await outside()

  return {
    hostile,
    shell,
    target,
    assertHarmless: async (t, args, what, by = shell) => {
      await rm(target, { recursive: true, force: true })
      await mkdir(target)
      const ended = await filewright(by, ...args)
      const run = `${args.join(' ')}: ${what}`
      for (const [stream, text] of Object.entries({ out: ended.out, note: withoutRedraws(ended.note) })) {
        if (OBEYED.test(text)) t.fail(`${run} reaches the terminal`, { [stream]: JSON.stringify(text) })
      }
      const after = await outside()
      if (after !== before) t.fail(`${run} writes elsewhere`, { before, after })
      if (existsSync('/tmp/filewright-pwned')) t.fail(`${run} writes to /tmp`)
      if (IS_A_CRASH.test(ended.note)) t.fail(`${run} is not explained`, { note: ended.note })
      if (args.includes('--json') && ended.out !== '') JSON.parse(ended.out)
      return ended
    }
  }
}
