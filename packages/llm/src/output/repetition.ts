/** The longest unit, in words, whose repetition is detected. */
const MAX_UNIT_WORDS = 40
const MIN_REPEATS = 6
/** Values that often repeat in data, such as tables or game boards. */
const FILLERS = new Set(['true', 'false', 'null', 'none', 'nil', 'undefined', 'nan', 'todo'])
const REPEATS_WANTED =
  /\brepeat|\btimes\b|\bcopies\b|\brefrain\b|\bchorus\b|\bloop(?:s|ed|ing)? the\b|\bplaceholder\b|\bdummy\b/i

/** How often a unit may repeat in a row. Short ones do so in real lists; long ones hardly ever. */
function limitOf(unitWords: number, isMarkup: boolean): number {
  if (isMarkup) return 70
  return unitWords <= 2 ? 24 : unitWords <= 7 ? 12 : 6
}

/** Whether a model repeats itself endlessly: names, lines or whole blocks. */
export function runsAway(
  text: string,
  { prompt = '', isCut = false }: { prompt?: string; isCut?: boolean } = {}
): boolean {
  if (!isCut && REPEATS_WANTED.test(prompt)) return false
  const words: string[] = []
  const offsets: number[] = []
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}_$]+/gu)) {
    words.push(word)
    offsets.push(index)
  }
  for (let unit = 1; unit <= MAX_UNIT_WORDS; unit++) {
    let run = 0
    for (let at = unit; at <= words.length; at++) {
      if (at < words.length && words[at] === words[at - unit]) {
        run++
        continue
      }
      const repeats = Math.floor(run / unit) + 1
      // Output that was truncated while it repeated itself would have continued.
      const atEnd = isCut && at >= words.length - unit
      if (
        repeats >= MIN_REPEATS &&
        isRunaway(
          words.slice(at - unit, at),
          text.slice(offsets[at - run - unit], offsets[at - 1]),
          repeats,
          atEnd
        )
      ) {
        return true
      }
      run = 0
    }
  }
  return false
}

function isRunaway(unit: readonly string[], run: string, repeats: number, atEnd: boolean): boolean {
  if (!unit.some((word) => /\p{L}{3}/u.test(word) && !FILLERS.has(word.toLowerCase()))) return false
  if (atEnd && run.length >= 60) return true
  return repeats >= limitOf(unit.length, /<\/|\/>|<\w/.test(run))
}
