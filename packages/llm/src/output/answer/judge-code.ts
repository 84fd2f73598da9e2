import type { Language } from '@filewright/contracts'
import { trimmed } from '../extract-code.js'
import { languageBySigns, signCount } from '../language-signs.js'
import type { Block } from './blocks.js'
import { isOtherFramework } from './frameworks.js'
import { isNamedIn, localImports } from './local-modules.js'
import { masked } from './outline.js'
import { DATA, LENIENT, PROSE, type CodeReading, type Context, type ReadFault } from './reading.js'
import { hasPrompts, looksLikeDiff } from './tidy-code.js'

/** Whether code characters are escaped without a string or markup that explains it. */
function hasEntities(code: string, language: Language | null): boolean {
  const isMarkup =
    /^(?:html|vue|svelte|xml|astro|markdown|text|php|erb|jinja)$/.test(language ?? '') ||
    /<[A-Za-z>/]/.test(code)
  return !isMarkup && /&(?:lt|gt|amp|quot);/.test(masked(code, language))
}

const BRACES = /^(?:kotlin|swift|c|cpp|csharp|php|dart|scala|groovy|objectivec|solidity|zig|vue|svelte)$/

/** Whether all brackets are balanced, where there is no parser. */
function isBalanced(code: string, language: Language | null): boolean {
  if (!BRACES.test(language ?? '')) return true
  const text = masked(code, language)
  const count = (sign: string): number => text.split(sign).length
  return count('(') === count(')') && count('{') === count('}') && count('[') === count(']')
}

const WANTS_FUNCTION =
  /\b(?:write|create|implement|build)\b[^.]{0,60}\b(?:function|method|class|component|hook)\b/i
const FUNCTION = /\b(?:function|class|def|lambda|interface|type)\b|=>|\)\s*\{/

/** Whether code only calls what it should implement. */
const lacksFunction = (code: string, language: Language | null, prompt: string): boolean =>
  WANTS_FUNCTION.test(prompt) &&
  /^(?:javascript|jsx|typescript|tsx|python)$/.test(language ?? '') &&
  !FUNCTION.test(masked(code, language))

/** The final check of the text: its language, syntax, framework and modules. */
export async function judged(
  context: Context,
  code: string,
  language: Language | null,
  tag: string,
  blocks: readonly Block[],
  fault?: ReadFault
): Promise<CodeReading> {
  const { accepted, wanted, request, parse, isCut } = context
  const text = trimmed(code)
  const fence = tag === '' && language !== null && wanted === null ? '' : tag
  const result = language === null ? { ok: 'unknown' as const } : await parse(text, language)
  const isAsked = accepted === null || (language !== null && accepted.includes(language))
  const reading: CodeReading = {
    code: text,
    fence: isAsked && accepted !== null && language !== null && tag !== '' ? language : fence,
    parses: isAsked && accepted !== null && result.ok !== 'unknown' ? result.ok : undefined,
    problem: result.ok === false ? result : undefined,
    fault
  }
  if (fault !== undefined || text === '') return reading
  if (!isAsked || (await isForeign(context, text, language)) || isOtherFramework(text, request)) {
    return { ...reading, fault: 'language' }
  }
  if (hasEntities(text, language)) return { ...reading, fault: 'parts' }
  if (!isCut && result.ok === 'unknown' && !isBalanced(text, language)) {
    return { ...reading, fault: 'parts' }
  }
  if (lacksFunction(text, language, request.prompt)) return { ...reading, fault: 'parts' }
  if (
    language !== 'diff' &&
    !PROSE.has(language ?? '') &&
    (looksLikeDiff(text) || hasPrompts(text, language))
  ) {
    return { ...reading, fault: 'parts' }
  }
  if (result.ok === false) return reading
  const specifiers = new Set(localImports(text, language).map(({ specifier }) => specifier))
  const isMissing = [...specifiers].some((specifier) => !isNamedIn(request.prompt, specifier))
  if (isMissing) return { ...reading, fault: blocks.length > 1 ? 'files' : 'module' }
  return reading
}

/** Whether code that a parser of the wanted language accepted is in another language after all. */
async function isForeign(context: Context, code: string, language: Language | null): Promise<boolean> {
  const { accepted, parse } = context
  if (accepted === null || language === null || PROSE.has(language) || DATA.has(language)) return false
  if (language === 'html') {
    return (
      !/^\s*<[a-z!]/i.test(code) || /^[ \t]*(?:import|export)[ \t].*['"]/m.test(code.split('<', 1)[0] ?? '')
    )
  }
  const own = await parse(code, language)
  if (own.ok === true && !LENIENT.has(language)) {
    return (
      /^(?:javascript|jsx|typescript|tsx)$/.test(language) &&
      /^print\(/m.test(code) &&
      !/\bfunction print\b/.test(code)
    )
  }
  const signed = languageBySigns(code)
  if (own.ok === 'unknown' || own.ok === true) {
    if (signCount(code, language) > 0) return false
    for (const other of ['python', 'javascript', 'go', 'rust', 'java'] as const) {
      if (other !== language && signCount(code, other) > 0 && (await parse(code, other)).ok === true) {
        return true
      }
    }
  }
  return signed !== undefined && !accepted.includes(signed)
}
