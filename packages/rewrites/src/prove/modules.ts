/**
 * Modules that the sandbox implements itself, because values pass through them unharmed. The text runs in the
 * sandbox, so it must not refer to anything outside itself.
 */
export function createModules(): { real: Record<string, any>; partly: Record<string, any> } {
  const text = (value: any): string => {
    if (typeof value !== 'string') throw new TypeError('The "path" argument must be of type string')
    return value
  }
  const isAbsolute = (path: any): boolean => text(path).startsWith('/')
  const normalize = (path: any): string => {
    const parts: string[] = []
    for (const part of text(path).split('/')) {
      if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
      else if (part === '..' && !isAbsolute(path)) parts.push(part)
      else if (part !== '' && part !== '.' && part !== '..') parts.push(part)
    }
    const joined = parts.join('/')
    const end = path.endsWith('/') && joined !== '' ? '/' : ''
    return isAbsolute(path) ? `/${joined}${end}` : `${joined}${end}` || '.'
  }
  const join = (...parts: any[]): string =>
    normalize(
      parts
        .map(text)
        .filter((part) => part !== '')
        .join('/') || '.'
    )
  const resolve = (...parts: any[]): string => {
    const whole = ['/app', ...parts.map(text)].reduce((all, part) =>
      isAbsolute(part) ? part : `${all}/${part}`
    )
    return normalize(whole).replace(/(?<=.)\/$/, '')
  }
  const basename = (path: any, end = ''): string => {
    const name = text(path).replace(/\/+$/, '').split('/').at(-1) ?? ''
    return end !== '' && name !== end && name.endsWith(end) ? name.slice(0, -end.length) : name
  }
  const extname = (path: any): string => /^.+?(\.[^.]*)$/.exec(basename(path))?.[1] ?? ''
  const dirname = (path: any): string => {
    const cut = text(path).replace(/\/+$/, '').lastIndexOf('/')
    return cut > 0 ? path.slice(0, cut) : cut === 0 || isAbsolute(path) ? '/' : '.'
  }
  const relative = (from: any, to: any): string => {
    const [one, two] = [resolve(from), resolve(to)].map((each) =>
      each.split('/').filter((part) => part !== '')
    )
    let same = 0
    while (same < one!.length && one![same] === two![same]) same++
    return [...one!.slice(same).map(() => '..'), ...two!.slice(same)].join('/')
  }
  const path: any = {
    sep: '/',
    delimiter: ':',
    isAbsolute,
    normalize,
    join,
    resolve,
    basename,
    extname,
    dirname,
    relative,
    parse: (given: any) => {
      const [base, ext] = [basename(given), extname(given)]
      return {
        root: isAbsolute(given) ? '/' : '',
        dir: given.includes('/') ? dirname(given) : '',
        base,
        ext,
        name: base.slice(0, base.length - ext.length)
      }
    }
  }
  path.posix = path
  const util = {
    promisify:
      (fn: any) =>
      (...args: any[]) =>
        new Promise((_resolve, _reject) => {
          fn(...args, (error: any, value: any) => (error ? _reject(error) : _resolve(value)))
        }),
    inherits: (made: any, parent: any) => {
      Object.setPrototypeOf(made.prototype, parent.prototype)
    },
    format: (...args: any[]) => {
      let at = 1
      const first = String(args[0]).replace(/%[sdj]/g, (mark) =>
        at < args.length ? String(args[at++]) : mark
      )
      return [first, ...args.slice(at)].join(' ')
    },
    isArray: Array.isArray
  }
  const check = (holds: any, message?: any): void => {
    if (!holds) throw message instanceof Error ? message : new Error(message ?? 'the assertion does not hold')
  }
  const same = (a: any, b: any): boolean => JSON.stringify(a) === JSON.stringify(b)
  const assert: any = (value: any, message?: any) => check(value, message)
  Object.assign(assert, {
    ok: assert,
    strict: assert,
    fail: (message: any) => check(false, message),
    // eslint-disable-next-line eqeqeq -- as Node.js does
    equal: (a: any, b: any, message: any) => check(a == b, message),
    // eslint-disable-next-line eqeqeq -- as Node.js does
    notEqual: (a: any, b: any, message: any) => check(a != b, message),
    strictEqual: (a: any, b: any, message: any) => check(Object.is(a, b), message),
    notStrictEqual: (a: any, b: any, message: any) => check(!Object.is(a, b), message),
    deepEqual: (a: any, b: any, message: any) => check(same(a, b), message),
    deepStrictEqual: (a: any, b: any, message: any) => check(same(a, b), message),
    notDeepEqual: (a: any, b: any, message: any) => check(!same(a, b), message),
    notDeepStrictEqual: (a: any, b: any, message: any) => check(!same(a, b), message),
    match: (value: any, pattern: any, message: any) => check(pattern.test(value), message),
    doesNotMatch: (value: any, pattern: any, message: any) => check(!pattern.test(value), message),
    ifError: (value: any) => check(value === null || value === undefined)
  })

  const decoded = (value: string): string => {
    try {
      return decodeURIComponent(value.replaceAll('+', ' '))
    } catch {
      return value
    }
  }
  const querystring = {
    parse: (given: any) => {
      const found: Record<string, any> = Object.create(null)
      for (const pair of String(given).split('&')) {
        const [key = '', ...rest] = pair.split('=')
        if (pair !== '') found[decoded(key)] = decoded(rest.join('='))
      }
      return found
    },
    escape: encodeURIComponent,
    unescape: decoded
  }
  const url = {
    format: (given: any): string => {
      if (typeof given === 'string' || 'searchParams' in given) return String(given)
      const {
        protocol = '',
        slashes,
        auth,
        host,
        hostname = '',
        port,
        pathname = '',
        search,
        query,
        hash = ''
      } = given
      const whole = host ?? (port === undefined ? hostname : `${hostname}:${port}`)
      const start = `${protocol ?? ''}${slashes || whole ? '//' : ''}${auth ? `${auth}@` : ''}${whole ?? ''}`
      const fields = Object.entries(query ?? {}).map(
        ([key, value]) => `${key}=${encodeURIComponent(String(value))}`
      )
      return `${start}${pathname ?? ''}${search ?? (fields.length > 0 ? `?${fields.join('&')}` : '')}${hash ?? ''}`
    },
    parse: (given: any, readsQuery = false) => {
      const parts =
        /^(?:([a-z][a-z0-9+.-]*:)(\/\/)?([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(text(given)) ?? []
      const [, protocol = null, slashes, host = null, pathname = '', search = null, hash = null] = parts
      const query = search === null ? null : search.slice(1)
      return {
        protocol,
        slashes: slashes === undefined ? null : true,
        host,
        hostname: host === null ? null : host.replace(/:\d*$/, ''),
        port: /:(\d+)$/.exec(host ?? '')?.[1] ?? null,
        pathname: pathname === '' ? null : pathname,
        search,
        query: readsQuery ? querystring.parse(query ?? '') : query,
        path: pathname === '' && search === null ? null : pathname + (search ?? ''),
        hash,
        href: given
      }
    }
  }
  const net = {
    isIP: (value: any) => {
      if (/^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(String(value))) return 4
      return /^[0-9a-f:.]+$/i.test(String(value)) && String(value).split(':').length > 2 ? 6 : 0
    },
    isIPv4: (value: any): boolean => net.isIP(value) === 4,
    isIPv6: (value: any): boolean => net.isIP(value) === 6
  }
  return {
    real: {
      path,
      util,
      assert,
      'assert/strict': assert,
      invariant: assert,
      'tiny-invariant': assert,
      querystring,
      'escape-html': (value: any) =>
        String(value).replace(/["'&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`)
    },
    partly: { url, net }
  }
}
