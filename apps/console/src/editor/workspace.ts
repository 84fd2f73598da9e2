import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import type { AnalysisResult, Finding, OptimizationResult } from '@filewright/client/browser'
import { detectLanguage, languageOfFile } from './detect-language.js'

/** A model's output, to be compared with the editor's text. */
export interface Rewrite extends OptimizationResult {
  before: string
  /** The engine that wrote it. */
  engine: string
}

export interface Analysis {
  /** The analyzed text; the editor may contain something else by now. */
  code: string
  result: AnalysisResult
  engine: string
}

/** The document that all tabs share. It outlives the view, so that visiting the files loses nothing. */
export interface Workspace {
  text: Signal<string>
  /** The stored file it came from, or empty. */
  name: Signal<string>
  /** Chosen by the user, or empty: then it is detected. */
  chosenLanguage: Signal<string>
  language: ReadonlySignal<string>
  analysis: Signal<Analysis | null>
  findings: ReadonlySignal<readonly Finding[]>
  rewrite: Signal<Rewrite | null>
  /** Replaces the document and resets everything known about it. */
  open: (name: string, text: string) => void
}

export function createWorkspace(): Workspace {
  const text = signal('')
  const name = signal('')
  const chosenLanguage = signal('')
  const analysis = signal<Analysis | null>(null)
  const findings = computed(() => analysis.value?.result.analysis ?? [])
  const rewrite = signal<Rewrite | null>(null)
  const language = computed(() => {
    if (chosenLanguage.value !== '') return chosenLanguage.value
    return name.value === '' ? detectLanguage(text.value) : languageOfFile(name.value, text.value)
  })
  return {
    text,
    name,
    chosenLanguage,
    language,
    analysis,
    findings,
    rewrite,
    open: (fileName, content) => {
      name.value = fileName
      chosenLanguage.value = ''
      analysis.value = null
      rewrite.value = null
      text.value = content
    }
  }
}
