import { answererOf, canonicalLanguage } from '@filewright/contracts'
import type { GenerationDetails } from '@filewright/client/browser'
import type { Session } from '../session/session.js'

/** Puts a request with its options into the workspace, and its result, for comparison. It replaces the code there. */
export function runAgain(
  details: GenerationDetails,
  { workspace, forms, navigate }: Pick<Session, 'workspace' | 'forms' | 'navigate'>
): void {
  const { kind, request, result } = details
  if (request === null) return
  const { prompt = '', code = '', framework = '', language = '', model = '' } = request
  const earlier = kind === 'generate' ? (result?.content ?? '') : ''
  const type = { generate: request.type, analyze: request.analysis_type, optimize: request.optimization_type }
  workspace.open({ id: '', name: '', text: kind === 'generate' ? earlier : code })
  workspace.chosenLanguage.value = canonicalLanguage(language) ?? ''
  workspace.replaced.value = null
  if (kind === 'generate') {
    workspace.prompt.value = prompt
    workspace.earlier.value = earlier === '' ? null : { text: earlier, label: answererOf(details) }
  }
  const chosen = type[kind]
  forms.set(kind, {
    ...(chosen === undefined ? {} : { type: chosen }),
    ...(kind === 'generate' ? { model } : {}),
    framework
  })
  navigate({ view: 'code', tab: kind, file: '' })
}
