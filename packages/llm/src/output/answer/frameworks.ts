import { canonicalLanguage, type GenerationType, type Language } from '@filewright/contracts'
import { languageNamedIn } from '../language-signs.js'

/** What is known about the request of a response. */
export interface CodeRequest {
  prompt: string
  type: GenerationType
  language?: string | undefined
  framework?: string | undefined
}

const SCRIPT: readonly Language[] = ['javascript', 'jsx', 'typescript', 'tsx']

interface Framework {
  name: RegExp
  /** Matches the framework's name in a prompt. Several names are also ordinary words. */
  inPrompt: RegExp
  languages: readonly Language[]
  /** Code that certainly belongs to this framework. */
  sign: RegExp
  /** Matches only this framework's code, if `sign` may also match other code. */
  onlySign?: RegExp
  isUi?: boolean
}

const frameworks: readonly Framework[] = [
  {
    name: /^(?:react|next|preact|remix|gatsby)/,
    inPrompt: /\b(?:React(?:\.js|JS)?|Next\.js)\b|\breact (?:component|hook|app)/,
    languages: SCRIPT,
    sign: /\bfrom\s+['"](?:react|preact|next)\b|\brequire\(['"]react['"]\)|\bReact\.|<[A-Z]\w*[\s/>]|\bclassName=|\breturn\s{0,20}\(?\s{0,20}<[\w>]|=>\s{0,20}\(?\s{0,20}<[a-z>]/,
    onlySign: /\bfrom\s+['"](?:react|preact|next)\b|\bReact\.createElement/,
    isUi: true
  },
  {
    name: /^(?:vue|nuxt)/,
    inPrompt: /\b(?:Vue(?:\.js)?|Nuxt|vue) ?/,
    languages: ['vue', ...SCRIPT],
    sign: /<template\b|<script\s+setup|\bfrom\s+['"](?:vue|nuxt|pinia|#imports)|\bdefineComponent\(|\bVue\./,
    onlySign: /<template>[ \t]{0,20}\n|\bfrom\s+['"]vue['"]/,
    isUi: true
  },
  {
    name: /^svelte/,
    inPrompt: /\b(?:Svelte|SvelteKit|svelte)\b/,
    languages: ['svelte', ...SCRIPT],
    sign: /<script\b|\{#(?:if|each|await)|\bon:\w+=|\$(?:state|derived|props)\(|\bfrom\s+['"]svelte|^[ \t]*<(?!!doctype|html)\w/im,
    onlySign: /\{#(?:if|each|await)|\bfrom\s+['"]svelte/,
    isUi: true
  },
  {
    name: /^angular/,
    inPrompt: /\bAngular\b/,
    languages: ['typescript'],
    sign: /@(?:Component|Injectable|NgModule|Directive|Pipe)\b|['"]@angular\//,
    isUi: true
  },
  { name: /^solid/, inPrompt: /\bSolid(?:JS|\.js)\b/, languages: SCRIPT, sign: /['"]solid-js/, isUi: true },
  { name: /^express/, inPrompt: /\bExpress(?:\.js|JS)?\b/, languages: SCRIPT, sign: /['"]express['"]/ },
  { name: /^fastify/, inPrompt: /\b[Ff]astify\b/, languages: SCRIPT, sign: /['"]fastify['"]/ },
  { name: /^koa/, inPrompt: /\bKoa\b/, languages: SCRIPT, sign: /['"]koa['"]/ },
  { name: /^hono/, inPrompt: /\bHono\b/, languages: SCRIPT, sign: /['"]hono['"]/ },
  {
    name: /^nest/,
    inPrompt: /\bNest(?:JS|\.js)\b/,
    languages: ['typescript', 'javascript'],
    sign: /@nestjs\//
  },
  { name: /^flask/, inPrompt: /\bFlask\b/, languages: ['python'], sign: /\b(?:from|import) flask\b/ },
  { name: /^fastapi/, inPrompt: /\bFastAPI\b/i, languages: ['python'], sign: /\b(?:from|import) fastapi\b/ },
  {
    name: /^django/,
    inPrompt: /\bDjango\b/i,
    languages: ['python'],
    sign: /\bfrom (?:django|rest_framework)\b/
  },
  {
    name: /^gin/,
    inPrompt: /\bGin (?:server|router|framework|api)/i,
    languages: ['go'],
    sign: /gin-gonic\/gin/
  },
  {
    name: /^(?:echo|fiber|chi)$/,
    inPrompt: /(?!)/,
    languages: ['go'],
    sign: /labstack\/echo|gofiber\/fiber|go-chi\/chi/
  },
  {
    name: /^spring/,
    inPrompt: /\bSpring Boot\b/i,
    languages: ['java', 'kotlin'],
    sign: /org\.springframework\b/
  },
  { name: /^(?:rails|sinatra)/, inPrompt: /\b(?:Rails|Sinatra)\b/, languages: ['ruby', 'erb'], sign: /(?!)/ },
  { name: /^(?:laravel|symfony)/, inPrompt: /\b(?:Laravel|Symfony)\b/, languages: ['php'], sign: /(?!)/ },
  {
    name: /^(?:actix|axum|rocket)/,
    inPrompt: /\b(?:Actix|Axum)\b/i,
    languages: ['rust'],
    sign: /\b(?:actix_web|axum|rocket)\b/
  },
  // No framework, although one was requested.
  {
    name: /(?!)/,
    inPrompt: /(?!)/,
    languages: SCRIPT,
    sign: /\bcreateServer\s*\(|\bhttp\.ListenAndServe\b|\bimport http\.server|\bBaseHTTPRequestHandler\b/
  }
]

/** The framework that a request names, in its field or, if exactly one, in its text. */
export function frameworkOf({ framework, prompt }: CodeRequest): Framework | undefined {
  const name = (framework ?? '').trim().toLowerCase()
  if (name !== '') return frameworks.find((each) => each.name.test(name))
  const named = frameworks.filter(({ inPrompt }) => inPrompt.test(prompt))
  return named.length === 1 &&
    !/\b(?:without|instead of|no|not|like|from|migrat\w+|convert\w*)\b/i.test(prompt)
    ? named[0]
    : undefined
}

const near: ReadonlyArray<readonly Language[]> = [
  ['sql', 'mysql', 'tsql', 'plsql', 'bigquery', 'snowflake'],
  ['shell', 'fish'],
  ['scss', 'sass', 'less', 'stylus', 'css'],
  ['c', 'cpp', 'cuda', 'opencl', 'objectivec'],
  ['yaml', 'ansible', 'helm'],
  ['ruby', 'erb', 'crystal'],
  ['python', 'mojo', 'bazel'],
  ['markdown', 'text', 'restructuredtext', 'asciidoc', 'latex']
]

/** The languages that a response may use, the wanted one first; null when the request names none. */
export function acceptedLanguages(request: CodeRequest): readonly Language[] | null {
  const wanted = canonicalLanguage(request.language ?? languageNamedIn(request.prompt) ?? '')
  const known = frameworkOf(request)
  if (wanted === null) {
    return known === undefined || request.language?.trim() ? null : known.languages
  }
  const isScript = SCRIPT.includes(wanted)
  if (isScript && known?.isUi === true) {
    const others = known.languages.filter((each) => !SCRIPT.includes(each))
    if (/^t/.test(wanted)) return [...others, 'tsx', 'typescript']
    // A component's build accepts types as well; a plain script would not run with them.
    return request.type === 'component' ? [...others, ...SCRIPT] : [...others, 'javascript', 'jsx']
  }
  if (isScript) return /^t/.test(wanted) ? ['typescript', 'tsx'] : ['javascript', 'jsx']
  if (wanted === 'css') return ['css']
  const group = near.find((languages) => languages.includes(wanted))
  return [wanted, ...(group ?? []).filter((each) => each !== wanted)]
}

/** Whether the code is written for another framework than requested. */
export function isOtherFramework(code: string, request: CodeRequest): boolean {
  const wanted = frameworkOf(request)
  if (wanted === undefined || wanted.sign.source === '(?!)' || wanted.sign.test(code)) return false
  const others = frameworks.filter(
    (each) => each.isUi === wanted.isUi && each !== wanted && each.sign.source !== '(?!)'
  )
  return (
    (wanted.isUi === true && request.type === 'component') ||
    others.some(({ sign, onlySign = sign }) => onlySign.test(code))
  )
}
