import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core'
import { openQuickJs, type MeteredQuickJs } from '../run/metered-quickjs.js'
import type { WorkBudget } from '../run/program-types.js'
import { createBuffer } from './buffer-class.js'
import { createDriver, type Driver } from './driver.js'
import type { Entry, Trace } from './trace.js'
import { createModules } from './modules.js'
import { CODE, ELEMENT, ENTER, LAST, LEAVE, PATTERN } from './marks.js'
import type { ModuleText } from './module-text.js'
import { createOutside, type Mode } from './outside.js'
import { createRoutes } from './routes.js'
import { createTypeChecks } from './type-checks.js'
import { createUrlClasses } from './url-classes.js'

/** QuickJS asks about every 10,000 steps whether to continue. */
const MAX_STEPS = 40
const MAX_STACK_BYTES = 256 * 1024
const MAX_LOAD_WORK = 20_000_000
const MAX_RUN_WORK = 3_000_000
const MAX_JOBS = 300
/** The number of instances that may be replaced after a trap. */
const MAX_INSTANCES = 24

const driverText = `(${createDriver.toString()})({
  createOutside: ${createOutside.toString()},
  createModules: ${createModules.toString()},
  createUrlClasses: ${createUrlClasses.toString()},
  createTypeChecks: ${createTypeChecks.toString()},
  createRoutes: ${createRoutes.toString()},
  createBuffer: ${createBuffer.toString()},
  enterName: '${ENTER}',
  leaveName: '${LEAVE}',
  codeName: '${CODE}',
  patternName: '${PATTERN}',
  elementName: '${ELEMENT}',
  lastName: '${LAST}'
})`

export interface Run extends Trace {
  /** In the sandbox's units. */
  work: number
}

/** The code, loaded beside stand-ins for everything outside it. */
export interface LoadedCode {
  entries: Entry[]
  /** The effects of the expression. Null if it does not end within its limits. */
  run: (expression: string, maxWork?: number, mode?: Mode) => Promise<Run | null>
  /** Like `run`, in a fresh realm and with another text of the module. */
  runAlone: (expression: string, text: string, mode: Mode) => Promise<Run | null>
  /** The same with another text of the module. */
  withText: (text: string) => Pick<LoadedCode, 'run'>
  /** The functions of the call's result. */
  resultsOf: (expression: string) => Promise<Entry[]>
}

/** The code can modify the sandbox's JSON, for example through `Array.prototype.toJSON`. */
function parsed<T>(text: string | null, isRight: (value: any) => boolean): T | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isRight(value) ? (value as T) : null
  } catch {
    return null
  }
}

const areEntries = (value: any): boolean =>
  Array.isArray(value) &&
  value.every(
    (entry) =>
      typeof entry?.access === 'string' && typeof entry.name === 'string' && typeof entry.source === 'string'
  )
/** What looks at a path or a call outside the sandbox is counted by nobody, so the code must not choose how much it is. */
const MAX_CALLS = 100
const MAX_PATH_CHARS = 200
const isTrace = (value: any): boolean =>
  Array.isArray(value?.calls) &&
  typeof value.stack === 'string' &&
  [value.codes, value.patterns].every(
    (texts: any) => Array.isArray(texts) && texts.every((text: any) => typeof text === 'string')
  ) &&
  value.calls.every((call: any) => typeof call?.path === 'string' && Array.isArray(call.args))

class LoadError extends Error {
  override readonly name = 'LoadError'
}

interface Realm {
  entries: Entry[]
  results: (expression: string, maxWork: number) => Entry[] | null
  run: (expression: string, maxWork: number, mode: Mode) => Run | null
}

/** Null where the code does not load. */
export async function loadCode(module: ModuleText, budget: WorkBudget): Promise<LoadedCode | null> {
  let instances = 0
  let machine: MeteredQuickJs | null = null

  async function fresh(text = module.text): Promise<Realm> {
    if (machine === null || machine.isStopped()) {
      if (++instances > MAX_INSTANCES) throw new LoadError('too many instances')
      machine = await openQuickJs(budget)
    }
    const own = machine
    const opened = own.within(MAX_LOAD_WORK, () => openRealm(own, text, module.free))
    if (opened === null) throw new LoadError('loading does not end')
    return opened
  }

  /** Uses one realm until a run does not end. */
  function withText(text: string, first: Realm | null) {
    let realm = first
    const ask = async <T>(act: (used: Realm) => T | null): Promise<T | null> => {
      const result = act((realm ??= await fresh(text)))
      if (result === null) realm = null
      return result
    }
    return {
      run: async (expression: string, maxWork = MAX_RUN_WORK, mode: Mode = 'usual') =>
        await ask((used) => used.run(expression, maxWork, mode)),
      resultsOf: async (expression: string) =>
        (await ask((used) => used.results(expression, MAX_RUN_WORK))) ?? []
    }
  }

  try {
    const realm = await fresh()
    const { entries } = realm
    return {
      entries,
      ...withText(module.text, realm),
      withText: (text) => withText(text, null),
      runAlone: async (expression, text, mode) => (await fresh(text)).run(expression, MAX_RUN_WORK, mode)
    }
  } catch (error) {
    if (error instanceof LoadError) return null
    throw error
  }
}

export const isLoadError = (error: unknown): boolean => error instanceof LoadError

function openRealm({ quickjs, within, workLeft }: MeteredQuickJs, moduleText: string, free: string[]): Realm {
  const runtime = quickjs.newRuntime()
  runtime.setMaxStackSize(MAX_STACK_BYTES)
  let steps = 0
  runtime.setInterruptHandler(() => ++steps > MAX_STEPS)
  const context = runtime.newContext()
  const driver = valueOf(context, context.evalCode(driverText, 'driver.js'))

  /** Null after an uncaught error, for example at the limit of steps or memory. */
  function ask(method: keyof Driver, ...args: string[]): string | null {
    steps = 0
    const fn = context.getProp(driver, method)
    const result = context.callFunction(
      fn,
      context.undefined,
      args.map((each) => context.newString(each))
    )
    if (result.error !== undefined) return null
    const text: unknown = context.dump(result.value)
    return typeof text === 'string' ? text : ''
  }

  const entries = parsed<Entry[]>(ask('load', moduleText, JSON.stringify(free)), areEntries)
  if (entries === null) throw new LoadError('the code does not load')
  settle(runtime)
  return {
    entries,
    results: (expression, maxWork) =>
      within(maxWork, () => {
        const text = ask('results', expression)
        return text === null ? null : parsed<Entry[]>(text, areEntries)
      }),
    run: (expression, maxWork, mode) =>
      within(maxWork, () => {
        const before = workLeft()
        const isDone = ask('run', expression, mode) !== null
        steps = 0
        if (!isDone || !settle(runtime)) return null
        const work = before - workLeft()
        const trace = parsed<Trace>(ask('trace'), isTrace)
        if (trace === null) return null
        const calls = trace.calls.slice(0, MAX_CALLS).filter(({ path }) => path.length <= MAX_PATH_CHARS)
        return { ...trace, calls, work }
      })
  }
}

function settle(runtime: QuickJSRuntime): boolean {
  const jobs = runtime.executePendingJobs(MAX_JOBS)
  return jobs.error === undefined
}

function valueOf(context: QuickJSContext, result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
  if (result.error === undefined) return result.value
  throw new LoadError(String(context.dump(result.error)))
}
