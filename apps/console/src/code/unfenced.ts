/** Models put code between fences. While it is written, only the code is shown. */
export function unfenced(text: string): string {
  if (!text.startsWith('```')) return text
  const end = text.indexOf('\n')
  return end === -1 ? '' : text.slice(end + 1).replace(/\n?`{1,3}\s*$/, '')
}
