import type { ChatMessage, ChatRequest } from './model-client.js'

/** The messages of a request, with the start of the response for runtimes that can continue it. */
export function messagesFor(
  { messages, prefill }: Pick<ChatRequest, 'messages' | 'prefill'>,
  takesPrefill: boolean
): ChatMessage[] {
  const begun: ChatMessage[] =
    takesPrefill && prefill !== undefined ? [{ role: 'assistant', content: prefill }] : []
  return [...messages, ...begun].map(({ role, content }) => ({ role, content }))
}
