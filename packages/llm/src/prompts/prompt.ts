import { canonicalLanguage } from '@filewright/contracts'
import type { ChatMessage, ChatRequest, JsonSchema } from '../model-client.js'

export interface Prompt extends Pick<ChatRequest, 'stop' | 'prefill'> {
  messages: ChatMessage[]
  format?: JsonSchema
}

export interface PromptOptions {
  /** The boundary of the blocks. A model that starts to repeat them stops there. */
  mark: string
  /** The language of the fence that the response starts with. */
  fence?: string | undefined
}

export function promptOf(system: string, user: string, { mark, fence }: PromptOptions): Prompt {
  const language = canonicalLanguage(fence ?? '')
  return {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user }
    ],
    stop: ['request', 'code'].map((label) => `<<<${label} ${mark}`),
    ...(language === null ? {} : { prefill: `\`\`\`${language}\n` })
  }
}
