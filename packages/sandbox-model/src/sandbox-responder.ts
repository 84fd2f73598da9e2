import { frameworkIn, languageIn, languageOf } from './languages.js'
import type { OllamaRequest } from './ollama-protocol.js'
import { chooseContent, chooseSample, SANDBOX_NOTE } from './samples/choose-sample.js'
import { rankTopics } from './samples/choose-topic.js'
import type { Kind } from './samples/topics.js'

interface Ask {
  task: string
  language: string
  framework: string
  /** The user's request. */
  request: string
  /** The blocks of the prompt by their label. */
  blocks: ReadonlyMap<string, string>
}

const HEADER = /^(Task|Type|Language|Framework): (.+)$/gm
const BLOCK = /<<<([a-z]+) ([0-9a-f]{16})\n([\s\S]*?)\n\1 \2>>>/g
const NUMBERED_LINE = /^((\d+)#[0-9a-f]{3})\|(.*)$/gm
const LONG_LINE_CHARS = 160

/** Parses the service's prompts. Any other prompt is treated as a plain request. */
function askOf(text: string): Ask {
  const head = text.split('<<<', 1)[0] ?? ''
  const header = new Map([...head.matchAll(HEADER)].map(([, name = '', value = '']) => [name, value]))
  const blocks = new Map([...text.matchAll(BLOCK)].map(([, label = '', , body = '']) => [label, body]))
  const request = blocks.get('request') ?? text
  const language = languageOf(header.get('Language') ?? '') || languageIn(request)
  const isPlain = header.size === 0 && language === '' && rankTopics(request, 'code').length === 0
  return {
    task: header.get('Type') ?? header.get('Task') ?? (isPlain ? 'content' : 'code'),
    language,
    framework: header.get('Framework') ?? frameworkIn(request),
    request,
    blocks
  }
}

/** A fence that the code cannot close. */
function fenced(info: string, code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const mark = '`'.repeat(longest + 1)
  return `${mark}${info}\n${code}\n${mark}`
}

const isKind = (task: string): task is Kind => /^(?:code|component|api|content)$/.test(task)

function sample({ task, language, framework, request }: Ask): string {
  const kind = isKind(task) ? task : 'code'
  if (kind === 'content') return chooseContent(request).text
  const chosen = chooseSample({ prompt: request, kind, language, framework })
  return fenced(chosen.language, chosen.text)
}

/** The only finding possible without a model: a very long line. */
function findings(ask: Ask, format: unknown): string {
  const wanted = JSON.stringify(format)
  const long = [...(ask.blocks.get('code') ?? '').matchAll(NUMBERED_LINE)].find(
    ([, , , line = '']) => line.length > LONG_LINE_CHARS
  )
  if (long === undefined || !wanted.includes('"style"')) return JSON.stringify({ findings: [] })
  const [, anchor, number, line = ''] = long
  return JSON.stringify({
    findings: [
      {
        anchor,
        line: Number(number),
        category: 'style',
        type: 'suggestion',
        message: `This line is ${line.length} characters long (sandbox finding, not by a language model)`,
        suggestion: 'Break long lines'
      }
    ]
  })
}

/** The smallest value that a JSON schema allows, for prompts that are not ours. */
function least(schema: unknown): unknown {
  const {
    type,
    enum: allowed,
    properties = {},
    required = [],
    minimum = 0,
    minItems = 0,
    items
  } = Object(schema) as {
    type?: string
    enum?: unknown[]
    properties?: Record<string, unknown>
    required?: string[]
    minimum?: number
    minItems?: number
    items?: unknown
  }
  if (allowed !== undefined) return allowed[0]
  switch (type) {
    case 'array':
      return Array.from({ length: minItems }, () => least(items))
    case 'string':
      return SANDBOX_NOTE
    case 'integer':
    case 'number':
      return minimum
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return Object.fromEntries(required.map((name) => [name, least(properties[name])]))
  }
}

/**
 * Answers instead of a model: a sample chosen by the words, language and framework of the request, always the
 * same for the same request, and marked as a sample.
 */
export function createSandboxResponder(): (request: OllamaRequest) => string {
  return ({ messages, format }) => {
    const ask = askOf(messages.findLast(({ role }) => role === 'user')?.content ?? '')
    if (ask.task === 'analyze' && format !== undefined) return findings(ask, format)
    if (format !== undefined) return JSON.stringify(least(format === 'json' ? {} : format))
    const code = ask.blocks.get('code')
    if (ask.task === 'optimize' && code !== undefined) {
      return `${fenced(ask.language, code)}\n\nThe code is unchanged. ${SANDBOX_NOTE}`
    }
    return sample(ask)
  }
}
