import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import type { Finding, OptimizationResult } from '@filewright/client/browser'
import { detectLanguage, languageOfFile } from './detect-language.js'

/** What a model has written, to be compared with what is in the editor. */
export interface Rewrite extends OptimizationResult {
  before: string
}

/** The one document that all tabs work on. It outlives the view, so that a look at the files loses nothing. */
export interface Workspace {
  text: Signal<string>
  /** Of the stored file it came from, or empty. */
  name: Signal<string>
  /** Chosen by hand, or empty: then it is detected. */
  chosenLanguage: Signal<string>
  language: ReadonlySignal<string>
  findings: Signal<readonly Finding[]>
  rewrite: Signal<Rewrite | null>
  /** Says which part of the service answered last. */
  engine: Signal<string>
  /** Replaces the document by another one, about which nothing is known yet. */
  open: (name: string, text: string) => void
}

export function createWorkspace(): Workspace {
  const text = signal('')
  const name = signal('')
  const chosenLanguage = signal('')
  const findings = signal<readonly Finding[]>([])
  const rewrite = signal<Rewrite | null>(null)
  const engine = signal('')
  const language = computed(() => {
    if (chosenLanguage.value !== '') return chosenLanguage.value
    return name.value === '' ? detectLanguage(text.value) : languageOfFile(name.value, text.value)
  })
  return {
    text,
    name,
    chosenLanguage,
    language,
    findings,
    rewrite,
    engine,
    open: (fileName, content) => {
      name.value = fileName
      chosenLanguage.value = ''
      findings.value = []
      rewrite.value = null
      engine.value = ''
      text.value = content
    }
  }
}
