import { effect, signal, type Signal } from '@preact/signals'

export const themeNames = ['system', 'light', 'dark'] as const
export type ThemeName = (typeof themeNames)[number]

export interface Theme {
  name: Signal<ThemeName>
}

const KEY = 'filewright-theme'

/** Stored on this device. The style sheet follows the system unless the root element overrides it. */
export function createTheme(root: HTMLElement, store: Pick<Storage, 'getItem' | 'setItem'>): Theme {
  const name = signal(themeNames.find((each) => each === store.getItem(KEY)) ?? 'system')
  effect(() => {
    store.setItem(KEY, name.value)
    if (name.value === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = name.value
  })
  return { name }
}
