export interface CodeBlock {
  /** Plain: no fences, no prose around it. Empty if the answer holds none. */
  code: string
  /** What the fence says the code is, in small letters; empty without a fence or a word on it. */
  fence: string
}
