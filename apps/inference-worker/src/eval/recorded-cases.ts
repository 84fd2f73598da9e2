/** One recorded response of a model, with its request and the expected result. */
export interface RecordedCase {
  name: string
  /** `prompt: …` lines before the first section. */
  fields: Readonly<Record<string, string>>
  /** `--- answer` sections and the like, each without its final line break. */
  sections: Readonly<Record<string, string>>
}

const FIELD = /^([a-z]+):[ \t]?(.*)$/
const SECTION = /^--- ([a-z]+)$/

/** Parses a file of cases: `=== name`, fields, then sections up to the next mark. */
export function parseRecordedCases(text: string): RecordedCase[] {
  const cases: Array<{ name: string; fields: Record<string, string>; sections: Record<string, string> }> = []
  let lines: string[] = []
  let section: string | undefined
  const finish = (): void => {
    const current = cases.at(-1)
    if (current !== undefined && section !== undefined) current.sections[section] = lines.join('\n')
    section = undefined
    lines = []
  }
  for (const line of text.replace(/\n$/, '').split('\n')) {
    if (line.startsWith('=== ')) {
      finish()
      cases.push({ name: line.slice(4), fields: {}, sections: {} })
      continue
    }
    const named = SECTION.exec(line)?.[1]
    if (named !== undefined) {
      finish()
      section = named
    } else if (section !== undefined) {
      lines.push(line)
    } else {
      const [, name = '', value = ''] = FIELD.exec(line) ?? []
      const current = cases.at(-1)
      if (name !== '' && current !== undefined) current.fields[name] = value
    }
  }
  finish()
  return cases
}
