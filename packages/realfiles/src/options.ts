import { parseArgs } from 'node:util'

export const USAGE = `Usage: npm run realfiles -- [options]

Uploads real files to the service and reports by kind: what was refused and why, types, times, and whether
the bytes came back. Ends with an error when an expectation of packages/realfiles/manifest.json does not hold.

  --quick                a few hundred files
  --folder <dir>         the files of this folder and nothing else; may be given more than once
  --kind <kind>          only code, image, document, archive, other or eicar; may be given more than once
  --source <part>        only sources whose name contains this; may be given more than once
  --name <part>          only files, recipes and containers with this in their names; repeatable
  --limit <n>            at most so many files of each kind
  --seed <n>             which files are taken; the same seed takes the same
  --lanes <n>            uploads at a time (default 1: times are then those of one user)
  --url <url>            a service that runs already, with --token <token>; default a stack of its own
  --json                 every outcome as JSON on standard output; the report goes to standard error
  --help                 this text
`

export const KINDS = ['code', 'image', 'document', 'archive', 'other', 'eicar'] as const
export type Kind = (typeof KINDS)[number]

export interface Options {
  quick: boolean
  folders: string[]
  kinds: Kind[]
  sources: string[]
  names: string[]
  limit: number
  seed: number
  lanes: number
  service: { url: string; token: string } | null
  json: boolean
  help: boolean
}

/** Throws an Error with a sentence for the user. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean' },
      folder: { type: 'string', multiple: true },
      kind: { type: 'string', multiple: true },
      source: { type: 'string', multiple: true },
      name: { type: 'string', multiple: true },
      limit: { type: 'string' },
      seed: { type: 'string' },
      lanes: { type: 'string' },
      url: { type: 'string' },
      token: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean' }
    }
  })
  const { url, token } = values
  if ((url === undefined) !== (token === undefined)) throw new Error('--url and --token go together')
  return {
    quick: values.quick ?? false,
    folders: values.folder ?? [],
    kinds: (values.kind ?? KINDS).map(kindNamed),
    sources: values.source ?? [],
    names: values.name ?? [],
    limit: numberOf('limit', values.limit, Infinity),
    seed: numberOf('seed', values.seed, Date.now() % 1_000_000),
    lanes: numberOf('lanes', values.lanes, 1),
    service: url === undefined || token === undefined ? null : { url: url.replace(/\/+$/, ''), token },
    json: values.json ?? false,
    help: values.help ?? false
  }
}

function kindNamed(name: string): Kind {
  const kind = KINDS.find((each) => each === name)
  if (kind === undefined) throw new Error(`--kind ${name} is not one of ${KINDS.join(', ')}`)
  return kind
}

function numberOf(option: string, value: string | undefined, absent: number): number {
  if (value === undefined) return absent
  const number = Number(value)
  if (!Number.isInteger(number) || number < 1) {
    throw new Error(`--${option} ${value} is not a whole number above zero`)
  }
  return number
}

/** Whether a name contains one of the parts; none means any. */
export const matchesAny = (name: string, parts: readonly string[]): boolean =>
  parts.length === 0 || parts.some((part) => name.toLowerCase().includes(part.toLowerCase()))
