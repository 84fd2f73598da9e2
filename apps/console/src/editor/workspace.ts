import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import type { AnalyzedFile, RuledFinding } from '@filewright/contracts'
import type { OptimizationResult } from '@filewright/client/browser'

/** A model's output, to be compared with the editor's text. */
export interface Rewrite extends OptimizationResult {
  before: string
  /** The engine that wrote it. */
  engine: string
}

export interface Analysis extends AnalyzedFile {
  /** The analyzed text; the editor may contain something else by now. */
  code: string
}

/** The document that all tabs share. It outlives the view, so that visiting the files loses nothing. */
export interface Workspace {
  text: Signal<string>
  /** The stored file it came from, or empty. */
  name: Signal<string>
  fileId: Signal<string>
  /** Whether the text is stored nowhere else. */
  isDirty: ReadonlySignal<boolean>
  /** Chosen by the user, or empty: then it is detected. */
  chosenLanguage: Signal<string>
  analysis: Signal<Analysis | null>
  findings: ReadonlySignal<readonly RuledFinding[]>
  rewrite: Signal<Rewrite | null>
  /** Replaces the document with a stored one, and resets everything known about it. */
  open: (file: { id: string; name: string; text: string }) => void
  /** Replaces the document with one that is not stored. */
  restore: (unsaved: UnsavedCode) => void
  snapshot: () => UnsavedCode
  /** The code that a generation has replaced. */
  replaced: Signal<UnsavedCode | null>
  /** The result of a request from the history, which is about to be run again. */
  earlier: Signal<{ text: string; label: string } | null>
  /** What the user has asked for, or is about to. */
  prompt: Signal<string>
  /** What a reload would lose; null for nothing. */
  unfinished: () => UnsavedCode | null
  /** The text has been stored as this file. */
  saved: (file: { id: string; name: string; text: string }) => void
}

export interface UnsavedCode {
  fileId: string
  name: string
  text: string
  chosenLanguage: string
  /** Absent where only the code is kept. */
  prompt?: string
}

export function createWorkspace(): Workspace {
  const text = signal('')
  const name = signal('')
  const fileId = signal('')
  const prompt = signal('')
  const replaced = signal<UnsavedCode | null>(null)
  const earlier: Workspace['earlier'] = signal(null)
  /** Null if unknown: then every text counts as unsaved. */
  const storedText = signal<string | null>('')
  const chosenLanguage = signal('')
  const analysis = signal<Analysis | null>(null)
  const findings = computed(() => analysis.value?.findings ?? [])
  const rewrite = signal<Rewrite | null>(null)
  function show(code: UnsavedCode, stored: string | null): void {
    batch(() => {
      fileId.value = code.fileId
      name.value = code.name
      chosenLanguage.value = code.chosenLanguage
      analysis.value = null
      rewrite.value = null
      storedText.value = stored
      text.value = code.text
      if (code.prompt !== undefined) prompt.value = code.prompt
    })
  }

  const isDirty = computed(() => text.value !== '' && text.value !== storedText.value)
  const snapshot = (): UnsavedCode => ({
    fileId: fileId.value,
    name: name.value,
    text: text.value,
    chosenLanguage: chosenLanguage.value
  })

  return {
    text,
    name,
    fileId,
    prompt,
    replaced,
    earlier,
    isDirty,
    unfinished: () => {
      if (isDirty.value) return { ...snapshot(), prompt: prompt.value }
      // The code is stored; a file is opened again by its address.
      const nothing = { fileId: '', name: '', text: '', chosenLanguage: '' }
      return prompt.value === '' ? null : { ...nothing, prompt: prompt.value }
    },
    chosenLanguage,
    analysis,
    findings,
    rewrite,
    open: ({ id, name: fileName, text: content }) => {
      earlier.value = null
      show({ fileId: id, name: fileName, text: content, chosenLanguage: '' }, content)
    },
    restore: (unsaved) => {
      show(unsaved, null)
    },
    snapshot,
    saved: (file) => {
      fileId.value = file.id
      name.value = file.name
      storedText.value = file.text
    }
  }
}
