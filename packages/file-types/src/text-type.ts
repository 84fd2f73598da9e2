import { extname } from 'node:path/posix'
import { extensionTable, interpreterTable, nameTable } from './extension-table.js'
import { typeByClues } from './shared-extensions.js'
import { hasSvgRoot } from './svg-root.js'
import type { DetectedType } from './supported-types.js'

type TextType = Omit<DetectedType, 'charset'>

const SVG: TextType = { type: 'image/svg+xml', kind: 'image' }
const HTML_START = /^\s*<(?:!doctype\s+html|html)[\s>]/i
const XML_START = /^<\?xml\s/
/**
 * `#!/usr/bin/env -S VAR=1 python3.11 -u` and `#!/bin/sh -e`; the line is cut first, so the pattern sees
 * little text.
 */
const SHEBANG = /^#!\s*(?:\S*\/)?(?:env\s+(?:-\S+\s+|\w+=\S*\s+)*)?(?:\S*\/)?([^\s/]+)/
const SHEBANG_CHARS = 256
const VERSION = /-?\d[\d.]*$/

function code(type: string): TextType {
  return { type, kind: 'code' }
}

function byShebang(text: string): string | undefined {
  const line = text.slice(0, SHEBANG_CHARS).split(/[\r\n]/, 1)[0] ?? ''
  const interpreter = SHEBANG.exec(line)?.[1]?.toLowerCase()
  return interpreter === undefined ? undefined : interpreterTable.get(interpreter.replace(VERSION, ''))
}

/** Only for names without an extension: even an unknown extension means something else. */
function byContent(text: string): TextType {
  const interpreted = byShebang(text)
  if (interpreted !== undefined) return code(interpreted)
  if (hasSvgRoot(text)) return SVG
  if (HTML_START.test(text)) return code('text/html')
  return code(XML_START.test(text) ? 'application/xml' : 'text/plain')
}

/** Generated files and templates have one of these after the name: `config.h.in`. */
const TEMPLATES = new Set([
  'in',
  'dist',
  'example',
  'sample',
  'template',
  'tmpl',
  'orig',
  'bak',
  'backup',
  'old'
])

function textTypeByName(lowerName: string, text: string): string | undefined {
  const extension = extname(lowerName).slice(1)
  const firstPart = lowerName.slice(0, Math.max(0, lowerName.indexOf('.', 1)))
  const byExtension = typeByClues(extension, text) ?? extensionTable.get(extension)
  return nameTable.get(lowerName) ?? byExtension ?? nameTable.get(firstPart)
}

/**
 * The type of text by its file name; `text` is its start, used where the name is unknown or must be verified.
 */
export function textType(name: string, text: string): TextType {
  const lowerName = name.toLowerCase()
  const extension = extname(lowerName).slice(1)
  if (extension === 'svg') return hasSvgRoot(text) ? SVG : code('text/plain')
  const inner = TEMPLATES.has(extension) ? lowerName.slice(0, -extension.length - 1) : lowerName
  const named = textTypeByName(lowerName, text) ?? textTypeByName(inner, text)
  if (named !== undefined) return code(named)
  return extension === '' ? byContent(text) : code('text/plain')
}
