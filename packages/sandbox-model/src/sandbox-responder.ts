import type { OllamaRequest } from './ollama-protocol.js'
import { frameworkSample } from './framework-samples.js'
import { codeSamples, contentSample, languageAliases, SANDBOX_NOTE } from './code-samples.js'

interface Ask {
  task: string
  language: string
  framework: string
  /** The blocks of the prompt by their label. */
  blocks: ReadonlyMap<string, string>
}

const HEADER = /^(Task|Type|Language|Framework): (.+)$/gm
const BLOCK = /<<<([a-z]+) ([0-9a-f]{16})\n([\s\S]*?)\n\1 \2>>>/g
const NUMBERED_LINE = /^((\d+)#[0-9a-f]{3})\|(.*)$/gm
const LONG_LINE_CHARS = 160

function languageOf(name: string): string {
  const lower = name.trim().toLowerCase()
  return languageAliases[lower] ?? lower
}

/** What the service's prompts ask for. Any other prompt is treated as a plain request. */
function askOf(text: string): Ask {
  const head = text.split('<<<', 1)[0] ?? ''
  const header = new Map([...head.matchAll(HEADER)].map(([, name = '', value = '']) => [name, value]))
  const blocks = new Map([...text.matchAll(BLOCK)].map(([, label = '', , body = '']) => [label, body]))
  const named =
    /\b(javascript|typescript|python|golang|java|rust|sql|bash|css|html|php|ruby|csharp)\b/i.exec(
      header.size === 0 ? text : ''
    )?.[1] ?? ''
  const plainTask = named === '' ? 'content' : 'code'
  return {
    task: header.get('Type') ?? header.get('Task') ?? plainTask,
    language: languageOf(header.get('Language') ?? named),
    framework: header.get('Framework') ?? '',
    blocks
  }
}

/** A fence that the code cannot close. */
function fenced(info: string, code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const mark = '`'.repeat(longest + 1)
  return `${mark}${info}\n${code}\n${mark}`
}

/** What the prompts say when no framework is named. */
function usualFramework(task: string, language: string): string {
  if (task === 'component') return 'react'
  if (task === 'api') return language === 'python' ? 'fastapi' : 'express'
  return ''
}

function sample({ task, language, framework }: Ask): string {
  const shaped =
    frameworkSample(framework, language, task) ??
    frameworkSample(usualFramework(task, language), language, task)
  if (shaped !== undefined) return fenced(shaped.fence, shaped.code)
  const known = language === '' ? 'javascript' : language
  const code = Object.hasOwn(codeSamples, known) ? codeSamples[known] : undefined
  // There is no sample, and the comment syntax of that language is unknown.
  return code === undefined ? fenced('text', SANDBOX_NOTE) : fenced(known, code)
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
 * Answers instead of a model: valid text for each task, language and framework, always the same for the same
 * request, and marked as a sample.
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
    return ask.task === 'content' ? contentSample : sample(ask)
  }
}
