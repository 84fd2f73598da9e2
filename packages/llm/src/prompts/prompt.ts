import type { ChatMessage, JsonSchema } from '../model-client.js'

export interface Prompt {
  messages: ChatMessage[]
  format?: JsonSchema
}

export function promptOf(system: string, user: string): Prompt {
  return {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user }
    ]
  }
}
