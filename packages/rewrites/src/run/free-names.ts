import type { CodeRealm } from './code-realm.js'
import type { Inputs } from './inputs.js'
import type { Plan, Rng } from './plan.js'
import type { PlainShape } from './shape.js'
import type { StandIns } from './stand-ins.js'

export interface FreeNameParts extends Pick<Inputs, 'make'>, Pick<StandIns, 'anything' | 'withRest'> {
  plan: Plan
  realm: CodeRealm
  seed: () => number
  rngOf: (start: number) => Rng
  hashOf: (text: string) => number
}

/** Names that the code uses and does not declare. */
export interface FreeNames {
  /** Stands around the code. */
  scope: object
  requireModule: (name: string) => any
  /** Starts a new run: creates new values for free names, but keeps modules. */
  reset: () => void
}

/** Runs inside the sandbox, in the harness's own realm: nothing outside it may be named. */
export function createFreeNames(parts: FreeNameParts): FreeNames {
  'use strict'
  const { plan, realm, make, anything, withRest, rngOf, hashOf } = parts
  const { defineProperty } = Reflect
  const freeNames = new Map<string, any>()

  // Names that nobody declares.
  const scope = new Proxy(realm.newObject(), {
    has: (_target, key) =>
      typeof key === 'string' &&
      !Reflect.has(realm.global, key) &&
      key !== 'require' &&
      key !== 'module' &&
      !key.startsWith('__probes'),
    get: (_target, key) => {
      if (typeof key === 'symbol') return undefined
      if (!freeNames.has(key)) freeNames.set(key, freeValue(key))
      return freeNames.get(key)
    },
    set: (_target, key, value) => {
      freeNames.set(String(key), value)
      return true
    }
  })

  const sure = (shape: PlainShape): PlainShape => ({ ...shape, isNullable: undefined }) as any

  function freeValue(key: string): any {
    const shape = Object.hasOwn(plan.free, key) ? plan.free[key] : undefined
    return shape === undefined || shape.kinds.length === 0
      ? anything(key)
      : withRest(make(sure(shape), rngOf(hashOf(key) ^ parts.seed()), key), key)
  }

  const required = new Map<string, any>()
  function requireModule(name: string): any {
    if (!required.has(name)) {
      const shape = Object.hasOwn(plan.modules, name) ? plan.modules[name] : undefined
      const from = name.replace(/^node:/, '')
      required.set(name, shape?.props === undefined ? anything(from) : withRest(moduleOf(shape, from), from))
    }
    return required.get(name)
  }

  /** The exports of a module stay the same in all runs. */
  function moduleOf(shape: PlainShape, name: string): any {
    const module = realm.newObject()
    for (const [key, part] of Object.entries(shape.props ?? {})) {
      const label = `${name}.${key}`
      const value =
        part.kinds.length === 0
          ? anything(label)
          : withRest(make(sure(part), rngOf(hashOf(label)), label), label)
      defineProperty(module, key, { value, writable: true, enumerable: true, configurable: true })
    }
    return module
  }

  return { scope, requireModule, reset: () => freeNames.clear() }
}
