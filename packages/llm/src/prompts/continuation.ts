import type { Prompt } from './prompt.js'

const GO_ON = `Task: continue
Your answer was cut off at its limit. Go on with the very next character after its end.
Repeat nothing, explain nothing, and open no new fence.`

/** Asks for the rest of a response that reached the output limit. */
export function continuationPrompt({ messages }: Pick<Prompt, 'messages'>, written: string): Prompt {
  return {
    messages: [...messages, { role: 'assistant', content: written }, { role: 'user', content: GO_ON }]
  }
}
