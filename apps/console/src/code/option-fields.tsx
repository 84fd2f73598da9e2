import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { texts } from '../texts.js'

export interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  options: Record<Value, string>
  onChange: (value: Value) => void
}

export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange
}: ChoiceProps<Value>): JSX.Element {
  const id = useId()
  const names = Object.keys(options) as Value[]
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          onChange(event.currentTarget.value as Value)
        }}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {options[name]}
          </option>
        ))}
      </select>
    </div>
  )
}

export function FrameworkField({
  value,
  onChange
}: {
  value: string
  onChange: (value: string) => void
}): JSX.Element {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{texts.code.framework}</label>
      <input
        id={id}
        type="text"
        maxLength={100}
        autocomplete="off"
        placeholder={texts.code.frameworkHint}
        value={value}
        onInput={(event) => {
          onChange(event.currentTarget.value)
        }}
      />
    </div>
  )
}

/** Omits empty options. */
export function filledIn<T extends Record<string, string>>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== '')) as Partial<T>
}
