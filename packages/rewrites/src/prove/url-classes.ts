/**
 * `URL` and `URLSearchParams` for the sandbox, which has none: what handlers of requests use of them. The text runs in
 * the sandbox, so it must not refer to anything outside itself.
 */
export function createUrlClasses(): Record<'URL' | 'URLSearchParams', any> {
  const decoded = (text: string): string => {
    try {
      return decodeURIComponent(text.replaceAll('+', ' '))
    } catch {
      return text
    }
  }
  const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+')

  class Params {
    pairs: Array<[string, string]> = []
    onChange = (): void => {}

    constructor(init: any = '') {
      if (typeof init === 'string') {
        for (const pair of init.replace(/^\?/, '').split('&')) {
          const [key = '', ...rest] = pair.split('=')
          if (pair !== '') this.pairs.push([decoded(key), decoded(rest.join('='))])
        }
      } else {
        const list = init[Symbol.iterator] === undefined ? Object.entries(init) : [...init]
        this.pairs = list.map(([key, value]: any) => [String(key), String(value)])
      }
    }
    get(name: any): string | null {
      return this.pairs.find(([key]) => key === String(name))?.[1] ?? null
    }
    getAll(name: any): string[] {
      return this.pairs.filter(([key]) => key === String(name)).map(([, value]) => value)
    }
    has(name: any): boolean {
      return this.get(name) !== null
    }
    append(name: any, value: any): void {
      this.pairs.push([String(name), String(value)])
      this.onChange()
    }
    delete(name: any): void {
      this.pairs = this.pairs.filter(([key]) => key !== String(name))
      this.onChange()
    }
    set(name: any, value: any): void {
      const known = this.pairs.find(([key]) => key === String(name))
      if (known === undefined) return this.append(name, value)
      known[1] = String(value)
      this.pairs = this.pairs.filter((pair) => pair === known || pair[0] !== known[0])
      this.onChange()
    }
    sort(): void {
      this.pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      this.onChange()
    }
    keys(): Iterator<string> {
      return this.pairs.map(([key]) => key).values()
    }
    values(): Iterator<string> {
      return this.pairs.map(([, value]) => value).values()
    }
    entries(): Iterator<[string, string]> {
      return this.pairs.map(([key, value]): [string, string] => [key, value]).values()
    }
    forEach(act: any): void {
      for (const [key, value] of this.pairs) act(value, key, this)
    }
    get size(): number {
      return this.pairs.length
    }
    [Symbol.iterator](): Iterator<[string, string]> {
      return this.entries()
    }
    toString(): string {
      return this.pairs.map(([key, value]) => `${encoded(key)}=${encoded(value)}`).join('&')
    }
  }

  const ports: Record<string, string> = {
    'http:': '80',
    'https:': '443',
    'ws:': '80',
    'wss:': '443',
    'ftp:': '21'
  }
  const invalid = (): TypeError => new TypeError('Invalid URL')
  const escaped = (text: string, letters: RegExp): string =>
    text.replace(letters, (letter) => encodeURI(letter)).replace(/[<>"]/g, encodeURIComponent)

  class Address {
    protocol = ''
    username = ''
    password = ''
    hostname = ''
    port = ''
    pathname = ''
    hash = ''
    query = ''
    searchParams: Params = new Params()
    isOpaque = false
    hasSlashes = false

    constructor(input: any, base?: any) {
      const text = String(input)
        .trim()
        .replace(/[\t\n\r]/g, '')
      const [, scheme, afterScheme = ''] = /^([a-z][a-z0-9+.-]*:)(.*)$/is.exec(text) ?? []
      if (scheme !== undefined) this.read(scheme.toLowerCase(), afterScheme)
      else {
        if (base === undefined) throw invalid()
        this.readBeside(text, new Address(base))
      }
    }
    get isSpecial(): boolean {
      return this.protocol === 'file:' || this.protocol in ports
    }
    read(protocol: string, given: string): void {
      this.protocol = protocol
      const plain = this.isSpecial ? given.replace(/^[^?#]*/, (part) => part.replaceAll('\\', '/')) : given
      const hasHost = this.isSpecial || plain.startsWith('//')
      this.hasSlashes = hasHost
      this.isOpaque = !hasHost && !plain.startsWith('/')
      let rest = plain
      if (hasHost && protocol === 'file:') rest = plain.replace(/^\/\/[^/?#]*/, '')
      else if (hasHost) {
        const start = this.isSpecial ? plain.replace(/^\/*/, '') : plain.slice(2)
        const authority = /^[^/?#]*/.exec(start)![0]
        this.readHost(authority)
        rest = start.slice(authority.length)
      }
      this.readRest(rest)
    }
    readHost(authority: string): void {
      const at = authority.lastIndexOf('@')
      const [name = '', ...secret] = authority.slice(0, Math.max(0, at)).split(':')
      this.username = name
      this.password = secret.join(':')
      const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(authority.slice(at + 1)) ?? []
      const isWrong = host === '' ? this.isSpecial || at !== -1 : /[\s<>^|%#?@\\]/.test(host)
      if (isWrong || (host === '' && authority.slice(at + 1) !== '')) throw invalid()
      this.hostname = this.isSpecial ? host.toLowerCase() : host
      this.port = port === ports[this.protocol] ? '' : port
    }
    readRest(rest: string): void {
      const [, path = '', query = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(rest) ?? []
      this.pathname = this.isOpaque ? path : this.normalized(path)
      this.hash = hash === '#' ? '' : escaped(hash, /[ `]/g)
      this.search = query
    }
    normalized(path: string): string {
      const parts: string[] = []
      const all = path.split('/')
      for (const [index, part] of all.entries()) {
        const isLast = index === all.length - 1
        if (/^(?:\.|%2e){2}$/i.test(part)) {
          if (parts.length > 1) parts.pop()
          if (isLast) parts.push('')
        } else if (/^(?:\.|%2e)$/i.test(part)) {
          if (isLast) parts.push('')
        } else parts.push(part)
      }
      const joined = escaped(parts.join('/'), /[ `{}]/g)
      return this.isSpecial && !joined.startsWith('/') ? `/${joined}` : joined
    }
    readBeside(given: string, base: Address): void {
      const text = base.isSpecial ? given.replace(/^[^?#]*/, (part) => part.replaceAll('\\', '/')) : given
      if (text.startsWith('//')) return this.read(base.protocol, text)
      if (base.isOpaque && !text.startsWith('#')) throw invalid()
      const { protocol, username, password, hostname, port, isOpaque, hasSlashes } = base
      Object.assign(this, { protocol, username, password, hostname, port, isOpaque, hasSlashes })
      if (text === '' || text.startsWith('#')) this.readRest(base.pathname + base.search + text)
      else if (text.startsWith('?')) this.readRest(base.pathname + text)
      else if (text.startsWith('/')) this.readRest(text)
      else this.readRest(base.pathname.replace(/[^/]*$/, '') + text)
    }
    get search(): string {
      return this.query
    }
    set search(given: string) {
      const text = escaped(String(given).replace(/^\?/, ''), / /g)
      this.query = text === '' ? '' : `?${text}`
      this.searchParams = new Params(text)
      this.searchParams.onChange = () => {
        const changed = this.searchParams.toString()
        this.query = changed === '' ? '' : `?${changed}`
      }
    }
    get host(): string {
      return this.port === '' ? this.hostname : `${this.hostname}:${this.port}`
    }
    set host(given: string) {
      this.readHost(given)
    }
    get origin(): string {
      return this.protocol in ports ? `${this.protocol}//${this.host}` : 'null'
    }
    get href(): string {
      const { protocol, username, password, host, pathname, query, hash } = this
      const secret = password === '' ? '' : `:${password}`
      const who = username === '' && secret === '' ? '' : `${username}${secret}@`
      const slashes = this.hasSlashes ? '//' : ''
      return `${protocol}${slashes}${who}${host}${pathname}${query}${hash}`
    }
    toString(): string {
      return this.href
    }
    toJSON(): string {
      return this.href
    }
    static canParse(input: any, base?: any): boolean {
      try {
        return new Address(input, base) instanceof Address
      } catch {
        return false
      }
    }
    static parse(input: any, base?: any): Address | null {
      return Address.canParse(input, base) ? new Address(input, base) : null
    }
  }
  return { URL: Address, URLSearchParams: Params }
}
