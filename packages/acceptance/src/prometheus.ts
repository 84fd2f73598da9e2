export interface MetricFamily {
  type: 'counter' | 'gauge' | 'histogram' | 'summary' | 'untyped'
  help: string
  samples: Sample[]
}

export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

const COMMENT = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/
const SAMPLE =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([Nn]a[Nn]|[+-]Inf|[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y
const TYPES = new Set(['counter', 'gauge', 'histogram', 'summary', 'untyped'])

/** Prometheus' text format, version 0.0.4, parsed strictly: whatever a scraper would refuse throws here. */
export function parsePrometheus(text: string): Map<string, MetricFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const families = new Map<string, MetricFamily>()
  const seen = new Set<string>()
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, keyword, commented = '', rest = ''] = COMMENT.exec(line) ?? []
    if (keyword === 'HELP') {
      if (families.has(commented)) throw new Error(`${commented} comes twice`)
      families.set(commented, { type: 'untyped', help: rest, samples: [] })
    } else if (keyword === 'TYPE') {
      const family = families.get(commented)
      if (family === undefined || family.samples.length > 0 || !TYPES.has(rest)) {
        throw new Error(`out of place: ${line}`)
      }
      family.type = rest as MetricFamily['type']
    } else {
      const sample = parseSample(line)
      const family =
        families.get(sample.name) ?? families.get(sample.name.replace(/_(bucket|sum|count)$/, ''))
      if (family === undefined) throw new Error(`no family for ${line}`)
      const series = line.slice(0, line.lastIndexOf(' '))
      if (seen.has(series)) throw new Error(`${series} comes twice`)
      seen.add(series)
      family.samples.push(sample)
    }
  }
  return families
}

function parseSample(line: string): Sample {
  const [, name, labelText = '', value] = SAMPLE.exec(line) ?? []
  if (name === undefined) throw new Error(`not a sample: ${line}`)
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < labelText.length) {
    const [, key, text] = LABEL.exec(labelText) ?? []
    if (key === undefined || text === undefined || key in labels) throw new Error(`bad labels: ${line}`)
    labels[key] = text
  }
  // NaN for any spelling of it, as Prometheus reads them.
  return { name, labels, value: Number(value?.replace('Inf', 'Infinity')) }
}
