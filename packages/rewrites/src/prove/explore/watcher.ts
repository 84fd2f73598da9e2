/** What instrumented code did in one run. Probes are numbers. */
export interface WatchTrace {
  /** Branches that ran. */
  hits: number[]
  /** Values that were compared: what the input had and what the code had, in either order. */
  pairs: Array<[string | number, string | number]>
  /** Whether an error that left the call was thrown by a statement of the code. */
  isDeliberate: boolean
  /** An error of the engine that left a callback that something outside called. */
  crash: { threw: string; stack: string } | null
  /** Promises that were rejected and that nothing handles, by the call that made them. */
  rejected: number[]
  /** The loop that ran too often. */
  endless: number | null
  /** Elements read at `length`, behind others that the same expression has read. */
  pastEnd: number[]
  /** Elements removed at -1, the result of a search. */
  removed: number[]
  /** Strings in the result. */
  texts: string[]
  /** The expression that first made a part of a larger text of an input that is to be escaped. */
  joined: number | null
}

export interface Watcher {
  global: Record<string, (...args: any[]) => any>
  begin: (expression: string) => void
  /** Notes what the call returned. */
  note: (result: any) => void
  /** Notes what a callback threw that something outside called. */
  crashed: (error: any) => void
  isDeliberate: (error: any) => boolean
  /** Once for each run, before its trace: asks the promises whether they are rejected. */
  ask: () => void
  end: () => WatchTrace
}

/** Runs inside the sandbox. It must not refer to anything outside itself. */
export function createWatcher(): Watcher {
  const maxLoops = 2_000
  const maxPairs = 24
  const { isArray } = Array
  const { then } = Promise.prototype
  const NativePromise = Promise
  const isView = ArrayBuffer.isView
  const native = [TypeError, ReferenceError, RangeError]
  let hits = new Set<number>()
  let counts = new Map<number, number>()
  let pairs: any[] = []
  let deliberate = new WeakSet<object>()
  let crash: WatchTrace['crash'] = null
  let promises = new Map<any, { probe: number; isHandled: boolean; isRejected: boolean }>()
  let endless: number | null = null
  let pastEnd = new Set<number>()
  let removed = new Set<number>()
  /** The list that an expression has read an element of. */
  let inside = new Map<number, any>()
  let hasMissed = false
  let texts: string[] = []
  let joined: number | null = null
  let mayJoin = false
  const raw = /injected2?[^\w\\]{1,4}injected2|-injected2\//

  const isOperand = (value: any): boolean =>
    (typeof value === 'string' && value.length <= 40) || (typeof value === 'number' && !Number.isNaN(value))

  function track(probe: number, value: any): any {
    if (value instanceof NativePromise && !promises.has(value) && promises.size < 100) {
      promises.set(value, { probe, isHandled: false, isRejected: false })
    }
    return value
  }
  const handle = (value: any): void => {
    const known = promises.get(value)
    if (known !== undefined) known.isHandled = true
  }
  const promise: { then: any } = Promise.prototype
  promise.then = function (this: any, done: any, fail: any): any {
    handle(this)
    return then.call(this, done, fail)
  }

  const hit = (probe: number): void => {
    hits.add(probe)
  }

  function collect(value: any, depth: number): void {
    if (texts.length >= 20) return
    if (typeof value === 'string') texts[texts.length] = value.slice(0, 2_000)
    if (typeof value !== 'object' || value === null || depth === 0 || isView(value)) return
    for (const key of Object.keys(value).slice(0, 20)) {
      const part = Object.getOwnPropertyDescriptor(value, key)
      if (part !== undefined && 'value' in part) collect(part.value, depth - 1)
    }
  }

  return {
    global: {
      s: (probe, value) => {
        const isJoined = mayJoin && joined === null && typeof value === 'string' && value.length < 4_000
        if (isJoined && raw.test(value) && !value.startsWith('injected')) joined = probe
        return value
      },
      p: hit,
      c: (probe, value) => {
        hits.add(value ? probe : -probe - 1)
        return value
      },
      l: (probe, value) => {
        const count = (counts.get(probe) ?? 0) + 1
        counts.set(probe, count)
        if (count < 4) hits.add(probe)
        if (count > maxLoops && endless === null) {
          endless = probe
          throw new Error('endless')
        }
        if (endless !== null) throw new Error('endless')
        return value
      },
      o: (_probe, value) => {
        if (pairs.length < maxPairs * 2) pairs[pairs.length] = isOperand(value) ? value : null
        return value
      },
      r: track,
      m: (probe, value) => {
        if (value === -1) hasMissed = true
        return track(probe, value)
      },
      n: (probe, owner, index) => {
        if (index === -1 && hasMissed && isArray(owner) && owner.length > 0) removed.add(probe)
        return index
      },
      a: (_probe, value) => {
        handle(value)
        return value
      },
      f: (probe, fn) =>
        Object.defineProperty(
          function (this: any, ...args: any[]) {
            return track(probe, fn.apply(this, args))
          },
          'length',
          { value: fn.length }
        ),
      t: (_probe, error) => {
        const isObject = (typeof error === 'object' || typeof error === 'function') && error !== null
        if (isObject) deliberate.add(error)
        return error
      },
      i: (probe, owner, index) => {
        const isList = typeof owner === 'string' || isArray(owner) || isView(owner)
        if (isList && typeof index === 'number') {
          const { length } = owner as any
          if (index >= 0 && index < length) inside.set(probe, owner)
          else if (index === length && inside.get(probe) === owner) pastEnd.add(probe)
        }
        return index
      }
    },
    begin: (expression) => {
      mayJoin = expression.includes('injected2')
      texts = []
      joined = null
      hits = new Set()
      counts = new Map()
      pairs = []
      deliberate = new WeakSet()
      crash = null
      promises = new Map()
      endless = null
      pastEnd = new Set()
      removed = new Set()
      inside = new Map()
      hasMissed = false
    },
    note: (result) => {
      collect(result, 4)
    },
    isDeliberate: (error) => typeof error === 'object' && error !== null && deliberate.has(error),
    crashed: (error) => {
      const isNative = native.some((each) => error instanceof each) && !deliberate.has(error)
      if (crash === null && isNative) {
        crash = { threw: `${error.name}: ${error.message}`, stack: String(error.stack).slice(0, 1_000) }
      }
    },
    ask: () => {
      for (const [promise, known] of promises) {
        if (known.isHandled) continue
        void then.call(promise, undefined, (reason: any) => {
          known.isRejected = String(reason) !== 'Error: exit' && String(reason) !== 'Error: endless'
        })
      }
    },
    end: () => {
      const compared: any[] = []
      for (let at = 0; at + 1 < pairs.length; at++) {
        const [one, other] = [pairs[at], pairs[at + 1]]
        if (one !== null && other !== null && one !== other) compared.push([one, other])
      }
      return {
        hits: [...hits].slice(0, 2_000),
        pairs: compared.slice(0, maxPairs),
        isDeliberate: false,
        crash,
        rejected: [...promises.values()].flatMap(({ probe, isRejected }) => (isRejected ? [probe] : [])),
        endless,
        pastEnd: [...pastEnd],
        removed: [...removed],
        texts,
        joined
      }
    }
  }
}

/** Outside the sandbox: the code could have changed how it writes JSON. */
export function isWatchTrace(value: any): value is WatchTrace {
  const areNumbers = (list: any): boolean => Array.isArray(list) && list.every(Number.isInteger)
  const isOperand = (each: any): boolean =>
    typeof each === 'number' || (typeof each === 'string' && each.length <= 40)
  const { crash, endless } = value ?? {}
  return (
    [value?.hits, value?.rejected, value?.pastEnd, value?.removed].every(areNumbers) &&
    [endless, value.joined].every((each: any) => each === null || Number.isInteger(each)) &&
    Array.isArray(value.texts) &&
    value.texts.every((each: any) => typeof each === 'string' && each.length <= 2_000) &&
    (crash === null || (typeof crash?.threw === 'string' && typeof crash.stack === 'string')) &&
    Array.isArray(value.pairs) &&
    value.pairs.every((pair: any) => Array.isArray(pair) && pair.length === 2 && pair.every(isOperand))
  )
}
