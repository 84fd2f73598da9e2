const maxSentenceChars = 140
const maxSentences = 60
/** Words of the code that a sentence must share with a change to be about it. */
const leastShared = 2

/** Sentences of an answer that stand outside its code. */
export function sentencesIn(words: string): string[] {
  const prose = words.replace(/```[\s\S]*?(?:```|$)/g, '\n')
  return prose
    .split('\n')
    .flatMap((line) =>
      line
        .replace(/^[\s>*#\d.)-]+/, '')
        .replace(/\*\*|__/g, '')
        .split(/(?<=[.!?])\s+(?=[A-Z])/)
    )
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= 15 && sentence.length <= maxSentenceChars && /\s/.test(sentence))
    .slice(0, maxSentences)
}

const wordsOf = (text: string): Set<string> => new Set(text.match(/[A-Za-z_$][\w$]{2,}/g))

/** The sentence that speaks most of what a change touches; null where none does. */
export function explanationFor(
  { removed, added }: { removed: readonly string[]; added: readonly string[] },
  sentences: readonly string[]
): string | null {
  const touched = wordsOf([...removed, ...added].join('\n'))
  let best: { sentence: string; shared: number } | null = null
  for (const sentence of sentences) {
    const shared = [...wordsOf(sentence)].filter(
      (word) => touched.has(word) && !/^(?:the|for|and|with|return|that|this|use|not)$/i.test(word)
    ).length
    if (shared >= leastShared && shared > (best?.shared ?? 0)) best = { sentence, shared }
  }
  return best === null ? null : /[.!?]$/.test(best.sentence) ? best.sentence : `${best.sentence}.`
}
