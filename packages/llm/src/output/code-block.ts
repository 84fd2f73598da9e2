export interface CodeBlock {
  /** Plain: no fences, no prose around it. Empty if the response has no code. */
  code: string
  /** The fence's word, in lower case; empty without a fence or a word. */
  fence: string
}
