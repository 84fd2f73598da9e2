import type { CodeRealm } from './code-realm.js'
import type { Harness, HarnessParts, Load } from './harness-types.js'
import type { Mode } from './input-state.js'
import type { Size } from './inputs.js'
import type { MutationStep, Outcome, Plan, PlannedTarget, Rng } from './plan.js'

/**
 * Runs inside the sandbox, in a realm of its own. Its text is evaluated there, so it must not refer to
 * anything outside itself. It creates inputs and stand-ins from shapes, calls the code in its other realm,
 * and records the effects. The code cannot change this realm.
 */
export function harness(parts: HarnessParts, planText: string, realm: CodeRealm, loadCode: Load): Harness {
  'use strict'
  const { apply } = Reflect
  const { hashOf, rngOf } = parts
  const plan = JSON.parse(planText) as Plan
  const nativeThen = Promise.prototype.then
  const names = new WeakMap<object, string>()
  const labels = new WeakMap<object, string>()
  const explicit = new WeakSet<object>()
  const proxies = new WeakSet<object>()
  const selves = new WeakSet<object>()
  const registered: any[] = []
  let calls: string[] = []
  let awaited: string[] = []
  let seed = 1
  let isOver = true
  /** The current run. */
  let current: { planned: PlannedTarget; seed: number; mode: Mode; args: any[]; isTwice: boolean } | null =
    null
  let size: Size = 'any'
  let isFilled = false
  const maxCalls = 2_000
  let isLoading = true

  let random: Rng = rngOf(1)
  const note = (call: string): number => calls.push(call)

  const { show, errorKind, describeError } = parts.createShow({ realm, names, labels, proxies, selves })
  const standIns = parts.createStandIns({
    realm,
    show,
    inputs: () => inputs,
    seed: () => seed,
    rngOf,
    hashOf,
    names,
    labels,
    explicit,
    note,
    maxCalls,
    isLong: () => current?.mode === 'long',
    onGiven: (fn, callWith) => {
      if (isLoading) registered.push(fn)
      else timers.add(() => fn(...callWith()))
    },
    isLoading: () => isLoading,
    reenter: (fn, rng) => reenter(fn, rng)
  })
  const { anything, withRest, listFrom } = standIns
  const codeTexts = parts.createCodeTexts(plan.mined)
  const mutations = parts.createMutations({
    rngOf,
    hashOf,
    newArray: realm.newArray,
    pieces: codeTexts.pieces,
    knots: codeTexts.knots
  })
  const inputs = parts.createInputs({
    plan,
    realm,
    mutations,
    rngOf,
    createPrimitives: parts.createPrimitives,
    codeTexts,
    createCopies: parts.createCopies,
    createCycles: parts.createCycles,
    createContainers: parts.createContainers,
    createArguments: parts.createArguments,
    functionOf: standIns.functionOf,
    anything
  })
  const { make } = inputs

  const timers = parts.createTimers({ note, show, listFrom })
  const startMs = 1_700_000_000_000
  realm.install({
    now: () => startMs + timers.now(),
    random: () => [true, random()],
    globals: timers.globals,
    onAwait: (promise) => {
      const label = labels.get(promise)
      if (label === undefined) return
      labels.delete(promise)
      awaited.push(label)
    },
    onError: (error) => explicit.add(error),
    onProxy: (proxy) => proxies.add(proxy)
  })

  const isObject = (value: any): boolean =>
    value !== null && (typeof value === 'object' || typeof value === 'function')

  function isCrash(error: any): boolean {
    const kind = errorKind(error)
    return (kind === 'TypeError' || kind === 'ReferenceError') && !explicit.has(error)
  }

  function endOf(kind: string, value: any): string {
    if (errorKind(value) === null) return `${kind} ${show(value)}`
    return kind === 'throws' && isCrash(value)
      ? `${kind} ${describeError(value)}: `
      : `${kind} ${show(value)}`
  }

  const freeNames = parts.createFreeNames({
    plan,
    realm,
    seed: () => seed,
    rngOf,
    hashOf,
    make,
    anything,
    withRest
  })

  const { module, load, resolve, shownExports } = parts.createModuleView({
    realm,
    show,
    names,
    proxies,
    registered
  })
  let result: Omit<Outcome, 'calls' | 'awaited' | 'again'> | null = null
  /** For a function that has returned: its later effects belong to its outcome. */
  let held: (() => void) | null = null
  let returned: any
  let first: Omit<Outcome, 'calls' | 'awaited' | 'again'> | null = null
  let changed = ''
  const coverage = parts.createCoverage(realm, plan.probes)
  const change = parts.createChange({ realm, names, proxies })
  const { settles, settled } = parts.createSettle({
    realm,
    names,
    labels,
    proxies,
    onAwaited: (label) => awaited.push(label)
  })

  function finish(end: string, args: any[], error?: any): void {
    if (isOver) return
    isOver = true
    result = {
      end,
      isCrash: error !== undefined && isCrash(error),
      isLimit: error !== undefined && errorKind(error) === 'InternalError',
      isMistyped: inputs.isMistyped(),
      isSpoilt:
        realm.state.isPrototypeSet || (inputs.hasHoles() && /NaN|undefined|<empty>/.test(end + calls.join())),
      hasHoles: inputs.hasHoles(),
      // Only objects can have been changed.
      args: show(args.filter(isObject))
    }
  }

  const {
    look,
    callMethods,
    reenter,
    reset: resetLook
  } = parts.createLook({
    realm,
    inputs: () => inputs,
    names,
    proxies,
    endOf,
    settles
  })

  function callAll(planned: PlannedTarget, rng: Rng, args: any[]): any {
    const target = resolve(planned.access)
    resetLook(planned, current!.mode === 'long')
    if (planned.methods !== undefined) {
      const Target = target
      const object = new Target(...args)
      if (planned.methods.length === 0) return object
      selves.add(object)
      return callMethods(object, planned.methods, rng)
    }
    // Static methods and methods of objects keep their own `this`.
    const owner = /^[^^#].*\./.test(planned.access)
      ? resolve(planned.access.replace(/\.[^.]*$/, ''))
      : undefined
    returned = apply(target, owner, args)
    return look(returned, rng)
  }

  async function yielded(value: any, args: any[]): Promise<void> {
    const list: any[] = []
    const iterator = value[Symbol.asyncIterator]()
    while (list.length < 60) {
      const { value: step, isError } = await settled(iterator.next())
      if (isError) return finish(endOf('throws', step), args, step)
      if (!isObject(step) || step.done === true) break
      list.push(step.value)
    }
    finish(endOf('yields', list), args)
  }

  function receive(value: any, rng: Rng, args: any[]): void {
    const isPromise = settles(
      value,
      (each) => {
        returned = each
        const seen = look(each, rng)
        // The effects of its call may come later.
        if (seen === each) finish(endOf('resolves to', each), args)
        else held = () => finish(endOf('resolves to', seen), args)
      },
      (error) => finish(endOf('rejects with', error), args, error)
    )
    if (isPromise) return
    if (isObject(value) && !names.has(value) && typeof value[Symbol.asyncIterator] === 'function') {
      void apply(nativeThen, yielded(value, args), [
        undefined,
        (error: any) => finish(endOf('throws', error), args, error)
      ])
      return
    }
    held = () => finish(endOf('returns', value), args)
  }

  function begin(): void {
    const { planned, seed: start, args } = current!
    const rng = rngOf(start)
    try {
      receive(callAll(planned, rng, args), rng, args)
    } catch (error) {
      held = () => finish(endOf('throws', error), args, error)
    }
  }

  /**
   * Whether the function is called again, with equal arguments, because the caller changed its first result.
   */
  function beginAgain(): boolean {
    held?.()
    held = null
    if (!current!.isTwice || result === null || result.isLimit || !isObject(returned)) return false
    // Only after a returned value, or a promise that resolved without a recorded call.
    const isPure = result.end.startsWith('resolves') && calls.length === 0
    if (!isPure && !result.end.startsWith('returns')) return false
    const { planned, seed: start, mode, args } = current!
    current!.isTwice = false
    change(returned)
    changed = `${show(returned)} ${show(args.filter(isObject))}`
    first = result
    result = null
    isOver = false
    inputs.reset(mode, size, isFilled)
    current!.args = inputs.makeAll(planned.params, planned.isRest === true, start)
    begin()
    return true
  }

  return {
    load: () => {
      calls = []
      load(
        loadCode(
          freeNames.scope,
          module,
          realm.newFunction((given) => [true, freeNames.requireModule(String(given[0]))]),
          coverage.probes
        )
      )
      isLoading = false
      return JSON.stringify([...calls, shownExports()])
    },
    has: (target) => typeof resolve(plan.targets[target]!.access) === 'function',
    prepare: (target, run, kind, tiny, filled, steps) => {
      mutations.begin(steps === '' ? [] : (JSON.parse(steps) as MutationStep[]))
      const planned = plan.targets[target]!
      calls = []
      awaited = []
      coverage.reset()
      standIns.reset()
      timers.reset()
      const name = planned.access.replace(/^module\.exports\.?/, '')
      seed = hashOf(`${name} ${run}`)
      random = rngOf(seed ^ 7)
      freeNames.reset()
      isOver = false
      result = null
      first = null
      changed = ''
      returned = undefined
      held = null
      realm.state.isBroken = false
      realm.state.isPrototypeSet = false
      const mode = (['usual', 'wild', 'long', 'deep'] as const)[kind]!
      size = tiny === 1 ? 'tiny' : planned.methods !== undefined ? 'small' : 'any'
      isFilled = filled === 1
      inputs.reset(mode, size, isFilled)
      const args = inputs.makeAll(planned.params, planned.isRest === true, seed)
      const isTwice = run % 3 === 0 && mode !== 'long' && mode !== 'deep' && planned.methods === undefined
      current = { planned, seed, mode, args, isTwice }
    },
    call: () => {
      begin()
      return timers.isWaiting()
    },
    tick: () => {
      const next = timers.next()
      if (next === null) return false
      try {
        next()
      } catch (error) {
        note(endOf('throws', error))
      }
      return true
    },
    outcome: () => {
      if (beginAgain()) return ''
      finish('goes on', [])
      const isLimit = result!.isLimit || realm.state.isBroken
      const again = first === null ? '' : `${changed} ${result!.end} ${result!.args}`
      // Calls are cut off at this limit, which the versions may reach at different places.
      const isCutOff = calls.length > maxCalls || (current!.mode === 'long' && calls.length > 0)
      const { isCrash, isSpoilt: isResultSpoilt } = (first ?? result)!
      const isSpoilt = isResultSpoilt || isCutOff
      return JSON.stringify({
        ...(first ?? result),
        isLimit,
        isSpoilt,
        calls,
        awaited: [...awaited].sort(),
        again,
        seen: isLimit || isCrash || isSpoilt ? null : coverage.take()
      })
    },
    reached: () => JSON.stringify(coverage.take())
  }
}
