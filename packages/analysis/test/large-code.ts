import { checkSyntax } from '../src/index.js'
import type { Language } from '@filewright/contracts'
import { isOneOf, scriptLanguages } from '../src/language-groups.js'
import { readClean, readFlawed } from './corpus.js'

/** A piece of the corpus in a shape that can stand in one file beside many others. */
function standalone(code: string, language: Language, index: number): string {
  if (isOneOf(language, scriptLanguages)) {
    const body = code
      .replace(/^import [^\n]*\n/gm, '')
      .replace(/^export default /gm, '')
      .replace(/^export /gm, '')
    return `async function part${index} () {\n${body}}\n`
  }
  if (language === 'python') {
    return code
      .replace(/^(?:import|from) .*\n/gm, '')
      .replace(/^((?:async )?def|class) (\w+)/gm, `$1 $2_${index}`)
  }
  if (language === 'go') return code.replace(/^package .*\n|^import \([\s\S]*?^\)\n|^import .*\n/gm, '')
  if (language === 'java') return code.replace(/^(?:package|import) .*\n/gm, '')
  return code
}

const frames: Partial<Record<Language, string>> = {
  go: 'package large\n\n',
  python: 'import asyncio, os\n\n'
}

/** After so much code it begins again, so that long code is like short code. */
const CYCLE_CHARS = 16 * 1024

const known = new Map<Language, string[]>()

async function piecesOf(language: Language): Promise<string[]> {
  const pieces = known.get(language) ?? []
  if (pieces.length > 0) return pieces
  const all = [...readClean(), ...readFlawed()].filter((snippet) => snippet.language === language)
  const step = Math.ceil(all.reduce((sum, { code }) => sum + code.length, 0) / CYCLE_CHARS)
  for (const { code } of all.filter((_, index) => index % step === 0)) {
    if ((await checkSyntax((frames[language] ?? '') + standalone(code, language, 0), language)).ok === true) {
      pieces.push(code)
    }
  }
  known.set(language, pieces)
  return pieces
}

/** Code of about this size that parses: some snippets of the corpus, flawed and clean, over and over. */
export async function largeCode(language: Language, kib: number): Promise<string> {
  const pieces = await piecesOf(language)
  let text = frames[language] ?? ''
  for (let index = 0; ; index++) {
    const piece = `${standalone(pieces[index % pieces.length]!, language, index)}\n`
    if (text.length + piece.length > kib * 1024) return text
    text += piece
  }
}
