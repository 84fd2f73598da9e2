export interface ExportedSignature {
  name: string
  kind: 'function' | 'class' | 'value' | 'type'
  /** Parameters and result without blanks; empty for what takes none. */
  signature: string
}

/** Blanks, a trailing comma and the quotes of a default say nothing about how a thing is called. */
export function normalize(signature: string): string {
  return signature
    .replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g, '')
    .replace(/\s+/g, '')
    .replace(/,(?=[)\]}])/g, '')
    .replace(/'/g, '"')
}
