import { randomBytes } from 'node:crypto'

export interface SlowFile {
  path: string
  code: string
  language: string
}

/** ESLint takes quadratic time for this chain: a second of CPU time for 6 KB, and no limit stops it. */
const CHAIN_LINKS = 2_000
const CHAINS = 7
/** Parsers used to take twice the work for each level. */
const LEVELS = 18
const towers: ReadonlyArray<readonly [open: string, end: string, close: string]> = [
  ['async(a=', '1', ')'],
  ['async<T>(', 'a', ')'],
  ['try{a()}finally{', 'b()', '}']
]
const TOWERS = 30

/** The file of the batch that takes longest. */
export function slowFile(number: number): SlowFile {
  const name = `n${randomBytes(4).toString('hex')}`
  return { path: `chain-${number}.js`, code: `${name}${'?.b'.repeat(CHAIN_LINKS)}\n`, language: 'js' }
}

/** The files of one batch: 50 KB of small but slow files. */
export function slowFiles(): SlowFile[] {
  return [
    ...Array.from({ length: CHAINS }, (_, number) => slowFile(number)),
    ...Array.from({ length: TOWERS }, (_, number) => {
      const [open, end, close] = towers[number % towers.length]!
      const tower = open.repeat(LEVELS) + end + close.repeat(LEVELS)
      return {
        path: `tower-${number}.ts`,
        code: `${tower}\n// ${randomBytes(8).toString('hex')}\n`,
        language: 'ts'
      }
    })
  ]
}
