/**
 * The handlers that the code registers for requests. The text runs in the sandbox and in reproducers, so it must
 * not refer to anything outside itself.
 */
export function createRoutes(isStandIn: (value: any) => boolean): {
  handlers: any[]
  /** Takes the handlers of a call. False if it registers none. */
  register: (from: string, name: string, args: any[], functions: any[]) => boolean
} {
  const handlers: any[] = []
  /** Handlers of the code that every later request passes. */
  const everywhere: any[] = []
  /** Whether something unknown checks every later request. */
  let isGuarded = false

  /** A handler is called through the functions of the code that come before it; what others check is unknown. */
  function add(name: string, args: any[], given: any[]): void {
    const isChecked = args
      .flat()
      .some((each) =>
        isStandIn(each)
          ? /valid|check|sanit|schema|celebrate|guard/i.test(String(each))
          : each?.schema !== undefined
      )
    if (isGuarded || (isChecked && name !== 'use')) return
    const own = args.flatMap((each) => (each?.handler === undefined || isStandIn(each) ? [] : [each.handler]))
    const all = [...given, ...own]
    for (const [at, fn] of all.entries()) handlers.push(through([...everywhere, ...all.slice(0, at)], fn))
    if (name !== 'use') return
    if (isChecked) isGuarded = true
    // Four parameters are those of a handler of errors.
    everywhere.push(...given.filter((each) => each.length === 3))
  }

  /** The handler behind others, which has the text of the handler. */
  function through(before: any[], last: any): any {
    if (before.length === 0) return last
    const chain = (request: any, response: any, ...rest: any[]): any => {
      for (const fn of before) {
        let isPassed = false
        fn(request, response, (error: any) => {
          isPassed = error === undefined
        })
        if (!isPassed) return undefined
      }
      return last(request, response, ...rest)
    }
    chain.toString = () => String(last)
    return chain
  }

  function isRoute(from: string, name: string, args: any[]): boolean {
    if (name === 'createServer') return true
    if (!/^(?:get|post|put|patch|delete|del|all|use|route)$/.test(name)) return false
    // A pattern limits what a client can choose.
    if (typeof args[0] === 'string' && args[0].includes('(')) return false
    if (/^(?:https?|request|axios|got|superagent|needle|fs|db)\./.test(from)) return false
    const [first] = args
    return typeof first === 'function' || Array.isArray(first) || /^[/*]/.test(String(first?.url ?? first))
  }

  return {
    handlers,
    register: (from, name, args, functions) => {
      if (name === 'param' && functions.length > 0) isGuarded = true
      const isFound = isRoute(from, name, args)
      if (isFound) add(name, args, functions)
      return isFound
    }
  }
}
