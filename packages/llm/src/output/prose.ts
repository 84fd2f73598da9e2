// A sentence: a capitalised word first, three words or more, and an end mark. Code hardly ever looks like
// this.
const SENTENCE = /^(?:[A-Z][a-z’']*|I(?:[’'][a-z]+)?)[,!]?(?:\s+\S+){2,}[.:!?]$/
const INTERJECTION =
  /^(?:Sure|Certainly|Of course|Absolutely|Great|Okay|OK|Here you go|Explanation|Notes?|Usage|Output|Example)[.:!,]*$/i
const BULLET = /^(?:[-*•]|\d+[.)])\s+\S/
const CODE_END = /[;{}]\s*$/

export function isProse(line: string): boolean {
  const text = line
    .trim()
    .replace(/^(?:#{2,4}\s+|\*\*)/, '')
    .replace(/\*\*/g, '')
  return !CODE_END.test(text) && (SENTENCE.test(text) || (/^[A-Z]/.test(text) && INTERJECTION.test(text)))
}

/** Code without a fence, without what the model says before and after it. Never removes everything. */
export function withoutProse(text: string): string {
  const lines = text.split('\n')
  let start = 0
  while (start < lines.length && (lines[start]?.trim() === '' || isProse(lines[start] ?? ''))) start++

  let end = lines.length
  for (let index = lines.length - 1; index >= start; index--) {
    const line = lines[index] ?? ''
    // Bullets are removed only together with their introduction: a list may as well be the code.
    if (isProse(line)) end = index
    else if (line.trim() !== '' && !BULLET.test(line.trim())) break
  }
  return start >= end ? text : lines.slice(start, end).join('\n')
}
