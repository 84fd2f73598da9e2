import type { SarifLog } from '@filewright/contracts'
import { arrayOf, count, line, numberFrom, objectOf, oneOf, optional, text, type Answer } from './checks.js'

const message = objectOf<{ text: string }>({ text })
const rule = objectOf({
  id: line,
  help: message,
  properties: optional(objectOf({ tags: arrayOf(oneOf('security', 'performance', 'style', 'bugs')) }))
})
const uri = objectOf<{ uri: string }>({ uri: line })
const location = objectOf({
  physicalLocation: objectOf({ artifactLocation: uri, region: objectOf({ startLine: numberFrom(1) }) })
})
/** How a run of the code reproduced a finding. */
const proof = objectOf({ input: text, observed: text, reproducer: text, entry_line: numberFrom(1) })
/** The service's properties of a file beyond SARIF. */
const properties = objectOf({
  score: optional(count),
  suggestions: optional(arrayOf(text)),
  engine: optional(line),
  analyzers: optional(line)
})

/** The parts of a log that our own programs read. */
const log = objectOf({
  version: oneOf('2.1.0'),
  runs: arrayOf(
    objectOf({
      tool: objectOf({ driver: objectOf({ rules: arrayOf(rule) }) }),
      artifacts: arrayOf(objectOf({ location: uri, properties })),
      results: arrayOf(
        objectOf({
          ruleId: line,
          ruleIndex: count,
          level: oneOf('error', 'warning', 'note'),
          message,
          locations: arrayOf(location),
          codeFlows: optional(
            arrayOf(
              objectOf({ threadFlows: arrayOf(objectOf({ locations: arrayOf(objectOf({ location })) })) })
            )
          ),
          suppressions: optional(arrayOf(objectOf({ justification: text }))),
          properties: optional(objectOf({ proof: optional(proof) }))
        })
      )
    })
  )
})

export const sarifAnswer: Answer<SarifLog> = (value) => {
  log(value, '')
  return value as SarifLog
}
