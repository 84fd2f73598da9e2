import { computed, type ReadonlySignal } from '@preact/signals'
import { detectLanguage, languageOfFile } from './detect-language.js'
import type { Workspace } from './workspace.js'

const known = new WeakMap<Workspace, ReadonlySignal<string>>()

/** Chosen, or detected. Apart from the workspace, which is loaded first: the signs of languages are large. */
export function languageOf(workspace: Workspace): ReadonlySignal<string> {
  const { chosenLanguage, name, text } = workspace
  const language =
    known.get(workspace) ??
    computed(() => {
      if (chosenLanguage.value !== '') return chosenLanguage.value
      return name.value === '' ? detectLanguage(text.value) : languageOfFile(name.value, text.value)
    })
  known.set(workspace, language)
  return language
}
