import type { CodeRealm } from './code-realm.js'
import type { Show } from './show.js'

export interface ModuleViewParts extends Pick<Show, 'show'> {
  realm: CodeRealm
  names: WeakMap<object, string>
  proxies: WeakSet<object>
  /** Functions that the code passed on while it loaded. */
  registered: readonly any[]
}

export interface ModuleView {
  module: any
  /** Called when the code has loaded, with its top-level declarations by name. */
  load: (declared: Record<string, any>) => void
  /** The value of a target in the plan. */
  resolve: (access: string) => any
  /** The exports: functions by their names in the code, and data. */
  shownExports: () => string
}

/** Runs inside the sandbox, in the harness's own realm: nothing outside it may be named. */
export function createModuleView(parts: ModuleViewParts): ModuleView {
  'use strict'
  const { realm, show, names, proxies, registered } = parts
  const { defineProperty, getOwnPropertyDescriptor } = Reflect
  const { kept } = realm
  let found: Record<string, any> = {}
  const module = realm.newObject()
  defineProperty(module, 'exports', {
    value: realm.newObject(),
    writable: true,
    enumerable: true,
    configurable: true
  })

  return {
    module,
    load: (declared) => {
      found = declared
    },
    resolve: (access) => {
      const handler = /^#(\d+)$/.exec(access)
      if (handler !== null) return registered[Number(handler[1])]
      if (access.startsWith('^')) return kept[access]
      let current: any = access.startsWith('module.') ? { module } : found
      for (const part of access.split('.')) current = current?.[part]
      return current
    },
    shownExports: () => {
      const own = new Map(Object.entries(found).map(([name, value]) => [value, name]))
      const shown = (value: any): string =>
        typeof value === 'function' ? `<${own.get(value) ?? 'function'}>` : show(value)
      const exported = module.exports
      const isObject = exported !== null && (typeof exported === 'object' || typeof exported === 'function')
      if (!isObject || names.has(exported) || proxies.has(exported)) return show(exported)
      const keys = Object.keys(exported).sort()
      const list = keys.map((key) => `${key}: ${shown(getOwnPropertyDescriptor(exported, key)?.value)}`)
      return `${typeof exported === 'function' ? shown(exported) : ''}{${list.join(', ')}}`
    }
  }
}
