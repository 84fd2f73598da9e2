import type { JSX } from 'preact'
import { languages } from '@filewright/contracts'
import { languageOf } from '../editor/workspace-language.js'
import { texts } from '../texts.js'
import type { Workspace } from '../editor/workspace.js'

/** Languages with analyzers come first. */
const CHECKED = 12

export function LanguagePicker({ workspace }: { workspace: Workspace }): JSX.Element {
  const { chosenLanguage } = workspace
  const groups = [
    { label: texts.code.checked, names: languages.slice(0, CHECKED) },
    { label: texts.code.others, names: languages.slice(CHECKED).toSorted() }
  ]
  return (
    <select
      aria-label={texts.code.language}
      value={chosenLanguage.value}
      onChange={(event) => {
        chosenLanguage.value = event.currentTarget.value
      }}
    >
      <option value="">{texts.code.detected(languageOf(workspace).value)}</option>
      {groups.map(({ label, names }) => (
        <optgroup key={label} label={label}>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}
