import { getProcessor, LangVariant } from 'sh-syntax'
import type { Source } from '../../text/source.js'
import type { SyntaxResult } from '../../types.js'
import { lazyModule } from '../../wasm.js'
import { unknownSyntax, type Engine } from '../../engines/engine.js'

const instantiate = lazyModule('sh-syntax/main.wasm', import.meta.url)
// One parameter on purpose: the package then leaves the instance to us, and does not compile the module again
// for every call.
const parse = getProcessor(async (imports: object) => instantiate(imports) as never)

/** Above these the parser runs out of its memory, which says nothing about the code. */
const maxChars = 48 * 1024
const maxDepth = 100

/** Keys of an associative array are words. The parser reads them as arithmetic. */
function withPlainKeys(text: string): string {
  return /\b(?:declare|typeset|local|readonly)\s+-\w*A/.test(text)
    ? text.replace(/\[[^[\]\s"'$`\\]+\](?=\+?=)/g, '[key]')
    : text
}

async function check({ text, nesting }: Source): Promise<SyntaxResult> {
  if (
    text.length > maxChars ||
    nesting('shell').brackets > maxDepth ||
    /^#!.*\b(?:zsh|fish|ksh)\b/.test(text)
  ) {
    return unknownSyntax
  }
  try {
    await parse(withPlainKeys(text), { variant: LangVariant.LangBash })
    return { ok: true }
  } catch (error) {
    const { Text: message, Pos: position } = error as { Text?: string; Pos?: { Line?: number } }
    if (message === undefined || position?.Line === undefined) throw error
    return { ok: false, line: position.Line, message }
  }
}

/** The shell's syntax only; its rules look at the tree. */
export const shellSyntaxEngine: Engine = {
  run: async (source) => ({ syntax: await check(source), hits: [] }),
  syntax: check
}
