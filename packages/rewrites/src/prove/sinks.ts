import type { ProofKind } from '@filewright/analysis/results'
import type { Trace } from './driver.js'
import { hostOf, isSqlToken, resolvedPath, runsInShell, WORD } from './escapes.js'

export type InjectionKind = Exclude<ProofKind, 'pollution' | 'redos'>
type Call = Trace['calls'][number]

export interface Injection {
  /** Inputs as JavaScript expressions, the simplest first. */
  payloads: readonly string[]
  /** The dangerous texts of a call; empty for other calls. */
  textsOf: (call: Call) => string[]
  /** Whether the input takes effect in the text. `usual` is the text with a harmless input. */
  breaksOut: (text: string, usual: string) => boolean
  /** Whether another call of the same run makes the text harmless. */
  isHarmless?: (call: Call) => boolean
  /** Whether only a value from a client is dangerous here. */
  needsClient: boolean
  /** In the past tense of a report: "… received". */
  effect: string
}

const texts = (...values: unknown[]): string[] =>
  values.filter((value): value is string => typeof value === 'string')
const quoted = (...values: string[]): string[] => values.map((value) => JSON.stringify(value))
const field = (value: unknown, ...keys: string[]): string[] =>
  typeof value === 'object' && value !== null
    ? keys.flatMap((key) => texts((value as Record<string, unknown>)[key]))
    : []

/** The command that a shell would run. */
function commandsOf({ path, args }: Call): string[] {
  const [first, second] = args
  const options = args.find((each) => typeof each === 'object' && each !== null && !Array.isArray(each))
  const list = Array.isArray(second) ? texts(...second) : []
  if (/(?:^|\.)(?:spawn|execFile)(?:Sync)?$/.test(path) || path === 'execa') {
    const hasShell = Boolean((options as { shell?: unknown } | undefined)?.shell)
    if (hasShell) return texts([...texts(first), ...list].join(' '))
    if (/^cmd/.test(String(first))) return list.filter((each) => !each.startsWith('/'))
    if (!/^(?:.*\/)?(?:ba|z|da)?sh$/.test(String(first))) return []
    // The command is followed by its parameters, and a shell without -c runs a file. Neither is read as a
    // command.
    const flag = list.findIndex((each) => /^-\w*c$/.test(each))
    return flag === -1 ? [] : list.slice(flag + 1, flag + 2)
  }
  const isShell =
    /(?:child|exec|shell|cp|proc|sh\b)/i.test(path) && /(?:exec\w*|command\w*|shell\w*|run)$/i.test(path)
  return isShell && !path.startsWith('new ') ? texts(first) : []
}

const addressOf = ({ path, args }: Call): string[] =>
  /^(?:fetch|(?:https?|axios|request|got|needle|superagent|undici|node-fetch|ky)\b)[\w.()-]*$/.test(path)
    ? [...texts(args[0]), ...field(args[0], 'url', 'uri', 'host', 'hostname', 'baseURL')]
    : []

const locationsOf = ({ path, args }: Call): string[] => {
  if (/(?:redirect|location\.(?:assign|replace)|location(?:\.href)?=)$/.test(path)) return texts(args.at(-1))
  if (/(?:setHeader|header|set)$/.test(path) && /^location$/i.test(String(args[0]))) return texts(args[1])
  return path.endsWith('writeHead') ? field(args.at(-1), 'Location', 'location') : []
}

/** A browser shows a page of this type as plain text, or not at all. */
const setsPlainType = ({ path, args }: Call): boolean => {
  const isHeader = /(?:setHeader|header|set)$/.test(path) && /^content-type$/i.test(String(args[0]))
  const types = [
    ...(isHeader ? texts(args[1]) : []),
    ...(/\.(?:type|contentType)$/.test(path) ? texts(args[0]) : []),
    ...(path.endsWith('writeHead') ? field(args.at(-1), 'Content-Type', 'content-type') : [])
  ]
  return types.some((type) => /^(?:text\/plain|application\/json|json|txt|text)\b/i.test(type))
}

const fileCalls =
  /^(?:new )?(?:fs|fs-extra|fse|fsp|graceful-fs)\b[\w.]*\.(?:read|write|append|create|open|unlink|rm|stat|lstat|access|exists|mkdir|copy|remove|chmod)\w*$|(?:sendFile|sendfile|download)$/

export const injections: Readonly<Record<InjectionKind, Injection>> = {
  shell: {
    payloads: quoted(`; ${WORD} #`, `$(${WORD})`, `"; ${WORD} #`, `'; ${WORD} #`, `\n${WORD}\n`),
    textsOf: commandsOf,
    breaksOut: runsInShell,
    needsClient: false,
    effect: 'the shell gets a second command'
  },
  sql: {
    payloads: quoted(`' OR ${WORD} --`, `0 OR ${WORD}`, `" OR ${WORD} --`, `\` OR ${WORD} --`),
    textsOf: ({ path, args }) =>
      /(?:query|execute|raw|exec|run|all|get|each|one|none|any|many|oneOrNone|manyOrNone|prepare|unsafe|literal|batch|\w*Raw\w*)$/i.test(
        path
      )
        ? [...texts(args[0]), ...field(args[0], 'text', 'sql')].filter((text) =>
            /\b(?:select|insert|update|delete|where|from|order by|call|with)\b/i.test(text)
          )
        : [],
    breaksOut: isSqlToken,
    needsClient: false,
    effect: 'the input becomes part of the statement'
  },
  nosql: {
    payloads: [`{ $ne: "${WORD}" }`],
    textsOf: ({ path, args }) =>
      /(?:find\w*|count\w*|delete\w*|update\w*|remove|replaceOne|aggregate|distinct|exists)$/.test(path)
        ? args.slice(0, 1).map((each) => JSON.stringify(each))
        : [],
    breaksOut: (text) => text.includes(`{"$ne":"${WORD}"}`),
    needsClient: true,
    effect: 'the filter contains an operator of the client'
  },
  code: {
    payloads: quoted(
      `${WORD}()`,
      `');${WORD}();//`,
      `");${WORD}();//`,
      `'+${WORD}()+'`,
      `"+${WORD}()+"`,
      `\${${WORD}()}`,
      `'];${WORD}();//`,
      `"];${WORD}();//`,
      `};${WORD}();//`,
      `a=${WORD}()`
    ),
    textsOf: () => [],
    breaksOut: () => false,
    needsClient: false,
    effect: 'code from the input runs'
  },
  path: {
    payloads: quoted(`../../../../etc/${WORD}`, `/etc/${WORD}`),
    textsOf: ({ path, args }) => (fileCalls.test(path) ? texts(args[0]) : []),
    breaksOut: (text, usual) => {
      const root = resolvedPath(usual).replace(/[^/]*$/, '')
      return text.includes(WORD) && !resolvedPath(text).startsWith(root)
    },
    needsClient: false,
    effect: 'a file outside the folder is opened'
  },
  address: {
    payloads: quoted(`http://${WORD}.example/`, `${WORD}.example`, `@${WORD}.example/`),
    textsOf: addressOf,
    breaksOut: (text) => [hostOf(text), text].includes(`${WORD}.example`),
    needsClient: true,
    effect: 'the client chooses the host'
  },
  redirect: {
    payloads: quoted(`https://${WORD}.example/`, `//${WORD}.example/`, `@${WORD}.example/`),
    textsOf: locationsOf,
    breaksOut: (text) => hostOf(text) === `${WORD}.example`,
    needsClient: true,
    effect: 'the client chooses the host'
  },
  markup: {
    payloads: quoted(`<${WORD}>`, `"><${WORD}>`),
    textsOf: ({ path, args }) =>
      /(?:^|\.)(?:send|end|write|html|innerHTML=|outerHTML=|writeln|insertAdjacentHTML|append|body=)$/.test(
        path
      )
        ? texts(...args)
        : [],
    breaksOut: (text) => text.includes(`<${WORD}>`),
    isHarmless: setsPlainType,
    needsClient: false,
    effect: 'an element from the input is in the page'
  },
  template: {
    payloads: quoted(`{{${WORD}}}`, `<%= ${WORD} %>`, `#{${WORD}}`),
    textsOf: ({ path, args }) =>
      /(?:compile|render|renderString|template|renderFile|fromString)$/.test(path) ? texts(args[0]) : [],
    breaksOut: (text) => new RegExp(`\\{\\{${WORD}\\}\\}|<%= ${WORD} %>|#\\{${WORD}\\}`).test(text),
    needsClient: true,
    effect: 'the template contains an expression of the client'
  }
}
