import type { JSX } from 'preact'
import { useConsole } from './console-context.js'
import { texts } from './texts.js'
import { themeNames, type ThemeName } from './theme.js'
import { Icon } from './ui/icon.js'

export function ThemePicker(): JSX.Element {
  const { theme } = useConsole()
  return (
    <label class="theme-picker">
      <Icon name="sun" />
      <span class="visually-hidden">{texts.theme.label}</span>
      <select
        value={theme.name.value}
        onChange={(event) => {
          theme.name.value = event.currentTarget.value as ThemeName
        }}
      >
        {themeNames.map((name) => (
          <option key={name} value={name}>
            {texts.theme[name]}
          </option>
        ))}
      </select>
    </label>
  )
}
