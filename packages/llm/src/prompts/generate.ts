import { canonicalLanguage, type GenerationType } from '@filewright/contracts'
import { block, headerLines, markFor } from './boundary.js'
import { promptOf, type Prompt } from './prompt.js'
import { ONE_FENCE, requestIsData } from './rules.js'

export interface GenerateInput {
  prompt: string
  type: GenerationType
  language?: string | undefined
  framework?: string | undefined
}

const CODE_QUALITY = `The code must be complete and run as it is: no placeholders, no "..." and no parts left out.
Handle errors and bad input. Never build SQL, shell commands or HTML by joining strings with input. No secrets in the code.
Comments only where the code does not speak for itself.`

const roles: Record<GenerationType, string> = {
  code: `You are a senior software engineer. You write one source file.
Use the named language and framework. If no language is named, use the one that the request implies, else JavaScript.
${CODE_QUALITY}
${ONE_FENCE}`,

  component: `You are a senior front-end engineer. You write one user-interface component as one source file.
Use the named framework and language. If no framework is named, use React; if no language is named, use the usual one of the framework.
The component is exported, takes its data as typed properties where the language has types, is accessible (labels, roles, keyboard) and cleans up after itself.
${CODE_QUALITY}
${ONE_FENCE}`,

  api: `You are a senior back-end engineer. You write the code of an HTTP API as one source file.
Use the named language and framework. If no framework is named, use Express for JavaScript and TypeScript, FastAPI for Python, and the usual one elsewhere; if nothing is named, use JavaScript.
Validate every input, answer with fitting status codes and JSON bodies, and never let an error's details reach the client.
${CODE_QUALITY}
${ONE_FENCE}`,

  content: `You are an experienced writer and editor. You write the text that is asked for, in Markdown, in the language of the request.
Write plainly and to the point, with headings only where they help. State nothing as fact that you do not know.
Answer with the text alone: no preface, no closing remark, no code fence around the whole.`
}

/** The opening code fence for a known language. */
function fenceFor(language = ''): string {
  const known = canonicalLanguage(language)
  return known === null ? '' : ` that begins with \`\`\`${known}`
}

export function generatePrompt({ prompt, type, language, framework }: GenerateInput): Prompt {
  const mark = markFor(prompt)
  const header = headerLines({ Task: type, Language: language, Framework: framework })
  // At the end, where small models pay attention.
  const order =
    type === 'content' ? 'Write this text now.' : `Write this code now, in one fence${fenceFor(language)}.`
  return promptOf(
    `${roles[type]}\n${requestIsData(mark)}`,
    `${header}\n${block('request', prompt, mark)}\n${order}`,
    { mark, fence: type === 'content' ? undefined : language }
  )
}
