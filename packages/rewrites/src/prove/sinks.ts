import type { ProofKind } from '@filewright/analysis/results'
import type { Trace } from './trace.js'
import type { FaultKind } from './faults.js'
import { hostOf, isSqlToken, resolvedPath, runsInShell, WORD } from './escapes.js'

export type InjectionKind = Exclude<ProofKind, 'pollution' | 'redos' | FaultKind>
type Call = Trace['calls'][number]

export interface Injection {
  /** Inputs as JavaScript expressions, the simplest first. */
  payloads: readonly string[]
  /** The dangerous texts of a call; empty for other calls. */
  textsOf: (call: Call) => string[]
  /** Whether the input takes effect in the text. `usual` is the text with a harmless input. */
  breaksOut: (text: string, usual: string, path: string) => boolean
  /** Whether another call of the same run makes the text harmless. */
  isHarmless?: (call: Call) => boolean
  /** Whether only a value from a client is dangerous here. */
  needsClient: boolean
  /** Whether a caller chooses what the call is for, as in a parameter for the folder. */
  isCallersChoice?: (usual: string) => boolean
  /** In the past tense of a report: "… received". */
  effect: string
}

const texts = (...values: unknown[]): string[] =>
  values.filter((value): value is string => typeof value === 'string')
const quoted = (...values: string[]): string[] => values.map((value) => JSON.stringify(value))
const field = (value: unknown, ...keys: string[]): string[] =>
  typeof value === 'object' && value !== null
    ? keys.flatMap((key) => texts(...[(value as Record<string, unknown>)[key]].flat()))
    : []

/**
 * What a shell is to run by `-c`. Everything behind it are its parameters. The first word that is no option is a
 * file, and what follows is given to that.
 */
function scriptOf(list: readonly string[]): string[] {
  for (let at = 0; at < list.length; at++) {
    const option = list[at]!
    if (/^-\w*c$/.test(option)) return list.slice(at + 1, at + 2)
    if (/^[-+]\w*[oO]$|^--(?:rcfile|init-file)$/.test(option)) at++
    else if (!/^[-+]/.test(option)) return []
  }
  return []
}

/** The object of a call; the function itself where there is none. */
const objectOf = (path: string): string => /^(?:new )?(.*)\.[^.]*$/.exec(path)?.[1] ?? path

/**
 * Whether the names of a call's object, or of the module that it comes from, say what it is. Loggers, caches, jobs and
 * sockets have methods such as `run`, `delete` and `send`, too, so the method alone proves nothing.
 */
function isOf(path: string, kind: RegExp): boolean {
  const words = objectOf(path).split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/)
  return words.some((word) => kind.test(word))
}

const shells = /^(?:child|exec|shell|cp|proc|sh|ssh)|sh$/i
const databases =
  /sql|database|maria|oracle|^db|db\d?$|^(?:pg|pool|conn|connection|client|knex|sequelize|orm|prisma|repo|repository|session|tx|trx|transaction|stmt|statement|cassandra|manager|datasource|entity)$/i
const responses = /^(?:res|resp|rsp|response|reply|ctx|context|document|doc)$/i
/** Models have names that begin with a capital letter. */
const collections = /^(?:[Mm]ongo|[Cc]ollections?$|[Mm]odels?$|[A-Z][a-z])|[Mm]ongo|^db|[Dd]b$/

/** The command that a shell would get. */
function commandsOf({ path, args }: Call): string[] {
  const [first, second] = args
  const options = args.find((each) => typeof each === 'object' && each !== null && !Array.isArray(each))
  const list = Array.isArray(second) ? texts(...second) : []
  if (/(?:^|\.)(?:spawn|execFile)(?:Sync)?$/.test(path) || path === 'execa') {
    const hasShell = Boolean((options as { shell?: unknown } | undefined)?.shell)
    if (hasShell) return texts([...texts(first), ...list].join(' '))
    if (/^cmd/.test(String(first))) return list.filter((each) => !each.startsWith('/'))
    if (!/^(?:.*\/)?(?:ba|z|da)?sh$/.test(String(first))) return []
    return scriptOf(list)
  }
  const isMethod = /(?:exec\w*|command\w*|shell\w*|run)$/i.test(path)
  return isMethod && isOf(path, shells) && !path.startsWith('new ') ? texts(first) : []
}

const addressOf = ({ path, args }: Call): string[] =>
  /^(?:fetch|(?:https?|axios|request|got|needle|superagent|undici|node-fetch|ky)\b)[\w.()-]*$/.test(path)
    ? [...texts(args[0]), ...field(args[0], 'url', 'uri', 'host', 'hostname', 'baseURL')]
    : []

const locationsOf = ({ path, args }: Call): string[] => {
  if (/(?:redirect|location\.(?:assign|replace)|location(?:\.href)?=)$/.test(path)) return texts(args.at(-1))
  if (/(?:setHeader|header|set)$/.test(path) && /^location$/i.test(String(args[0]))) return texts(args[1])
  const last: any = args.at(-1)
  return /writeHead$|^new (?:Headers|Response)$/.test(path)
    ? [last, last?.headers].flatMap((each) => field(each, 'Location', 'location'))
    : []
}

/** The values of a header that a call sets, by name and value or in an object. */
function headersOf({ path, args }: Call, name: string): string[] {
  const isSetter = /(?:setHeader|header|headers|set|append|writeHead|writeHeader)$/.test(path)
  const [first] = args
  if (!isSetter) return []
  if (typeof first === 'string' && !path.endsWith('writeHead')) {
    return first.toLowerCase() === name ? texts(args[1]) : []
  }
  const last: unknown = args.at(-1)
  // A list has names and values in turn, or in pairs.
  const list: unknown[] = Array.isArray(last) ? last.flat() : []
  const inList = list.filter((_, at) => at % 2 === 1 && String(list[at - 1]).toLowerCase() === name)
  if (list.length > 0) return texts(...inList)
  const given = last
  const keys = typeof given === 'object' && given !== null ? Object.keys(given) : []
  return field(given, ...keys.filter((key) => key.toLowerCase() === name))
}

/** Types and short names of types that a browser shows as text or stores; with these in them it shows a page. */
const fileTypes = /\/|^\.?(?:json|txt|text|csv|md|bin|pdf|js|css)$/i
const pageTypes = /html|xml|svg/i

/** A browser shows the response as text, or stores it. */
const isNoPage = (call: Call): boolean => {
  const { path, args } = call
  if (/\.attachment$/.test(path)) return true
  if (headersOf(call, 'content-disposition').some((value) => /^attachment\b/i.test(value))) return true
  const types = [
    ...headersOf(call, 'content-type'),
    ...(/\.(?:type|contentType)$/.test(path) ? texts(args[0]) : [])
  ]
  return types.some((type) => fileTypes.test(type) && !pageTypes.test(type))
}

/** What such a method of a database receives; only a part of a statement could be anything. */
const isStatement =
  /^[\s(]*(?:(?:\/\*[^]*?\*\/|--.*\n)\s*)?(?:select|insert|update|delete|with|call|exec|execute|merge|replace|create|alter|drop|truncate|explain|begin|declare|set|show|grant|values|copy|listen|notify|unlisten|savepoint|release|rollback|lock|vacuum)\b/i

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

const fileCalls =
  /^(?:new )?(?:fs|fs-extra|fse|fsp|graceful-fs)\b[\w.]*\.(?:read|write|append|create|open|unlink|rm|stat|lstat|access|exists|mkdir|copy|remove|chmod)\w*$|(?:sendFile|sendfile|download)$/

/** A database reads the operator: what is compared with by another operator, it takes as a value. */
function hasOperator(filter: string): boolean {
  const isOperator = (value: unknown): boolean => JSON.stringify(value) === `{"$ne":"${WORD}"}`
  const visit = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false
    if (isOperator(value)) return true
    return Object.entries(value).some(
      ([key, inner]) => !/^\$(?:eq|ne|gte?|lte?|in|nin|all)$/.test(key) && visit(inner)
    )
  }
  const parsed: unknown = JSON.parse(filter)
  // ORMs of SQL databases name the filter, and read no operators of this kind.
  const isOfSql = typeof parsed === 'object' && parsed !== null && 'where' in parsed
  return !isOfSql && visit(parsed)
}

/** How an expression is written in the language of a template engine. */
function expressionsIn(path: string): string[] {
  if (/\bejs\b/i.test(path)) return [`<%= ${WORD} %>`]
  if (/\b(?:pug|jade)\b/i.test(path)) return [`#{${WORD}}`]
  if (/handlebars|mustache|nunjucks|liquid|swig|twig|hogan|vue/i.test(path)) return [`{{${WORD}}}`]
  return [`{{${WORD}}}`, `<%= ${WORD} %>`, `#{${WORD}}`]
}

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
    textsOf: ({ path, args }) => {
      const given = [...texts(args[0]), ...field(args[0], 'text', 'sql')]
      if (/(?:query|raw|unsafe|literal|Raw\w*)$/i.test(path)) {
        return given.filter(
          (text) =>
            /\b(?:select|insert|update|delete|where|from|order by|call|with)\b/i.test(text) ||
            isStatement.test(text)
        )
      }
      const isMethod =
        /(?:execute|exec|run|all|get|each|one|none|any|many|oneOrNone|manyOrNone|prepare|batch)$/i.test(path)
      return isMethod && isOf(path, databases) ? given.filter((text) => isStatement.test(text)) : []
    },
    breaksOut: isSqlToken,
    needsClient: false,
    effect: 'the input becomes part of the statement'
  },
  nosql: {
    payloads: [`{ $ne: "${WORD}" }`],
    textsOf: ({ path, args }) => {
      const isOfDocuments = /(?:find(?:One|By|And)\w*|countDocuments|\w+(?:One|Many)|aggregate)$/.test(path)
      const isMethod = /(?:find\w*|count\w*|delete\w*|update\w*|remove|distinct|exists)$/.test(path)
      return isOfDocuments || (isMethod && isOf(path, collections))
        ? args.slice(0, 1).map((each) => JSON.stringify(each))
        : []
    },
    breaksOut: hasOperator,
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
      `a=${WORD}()`,
      `[${WORD}()]`,
      `{"x":${WORD}()}`
    ),
    textsOf: () => [],
    breaksOut: () => false,
    needsClient: false,
    effect: 'code from the input runs'
  },
  path: {
    payloads: quoted(
      `../../../../etc/${WORD}`,
      `/etc/${WORD}`,
      `../../../../etc/${WORD}/x`,
      `..%2f..%2f..%2f..%2fetc%2f${WORD}`
    ),
    textsOf: ({ path, args }) => {
      // Express opens nothing outside of a root.
      const hasRoot =
        /(?:sendFile|download)$/i.test(path) && args.some((each) => field(each, 'root').length > 0)
      return fileCalls.test(path) && !hasRoot ? texts(args[0]) : []
    },
    breaksOut: (text, usual) => {
      const root = resolvedPath(usual).replace(/[^/]*$/, '')
      return text.includes(WORD) && !resolvedPath(text).startsWith(root)
    },
    needsClient: false,
    isCallersChoice: (usual) => usual.startsWith(WORD),
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
    payloads: quoted(
      `https://${WORD}.example/`,
      `//${WORD}.example/`,
      `//${WORD}.example`,
      `//x//${WORD}.example`,
      `@${WORD}.example/`,
      `https://x.example.${WORD}.example/`
    ),
    textsOf: locationsOf,
    breaksOut: (text) => hostOf(text).endsWith(`${WORD}.example`),
    needsClient: true,
    effect: 'the client chooses the host'
  },
  markup: {
    payloads: quoted(`<${WORD}>`, `"><${WORD}>`),
    textsOf: ({ path, args }) => {
      const isPage = /(?:^|\.)(?:html|innerHTML=|outerHTML=|insertAdjacentHTML)$/.test(path)
      const isWritten = /\.(?:send|end|write|writeln|body=)$/.test(path) && isOf(path, responses)
      // Fastify sends a string as text unless a type is set, so only what looks like a page is one.
      if (path === 'reply.send') return texts(...args).filter((text) => /^\s*<(?!injected)/.test(text))
      // Only jQuery reads what it appends as markup; the DOM takes it for text.
      // Without a type, browsers do not take JSON for a page; Express sets one for what it sends.
      const isUntyped = /\.(?:end|write)$/.test(path)
      const isAppended = /^(?:\$|jQuery\b).*\.append$/.test(path)
      return isPage || isWritten || isAppended
        ? texts(...args).filter((text) => !isUntyped || !isJson(text))
        : []
    },
    breaksOut: (text) => text.includes(`<${WORD}>`),
    isHarmless: isNoPage,
    needsClient: false,
    effect: 'an element from the input is in the page'
  },
  template: {
    payloads: quoted(`{{${WORD}}}`, `<%= ${WORD} %>`, `#{${WORD}}`),
    textsOf: ({ path, args }) =>
      /(?:compile|render|renderString|template|renderFile|fromString)$/.test(path) ? texts(args[0]) : [],
    breaksOut: (text, _usual, path) => expressionsIn(path).some((expression) => text.includes(expression)),
    needsClient: true,
    effect: 'the template contains an expression of the client'
  }
}
