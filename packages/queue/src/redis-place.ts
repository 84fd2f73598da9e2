export interface RedisPlace {
  host: string
  port: number
}

/** One `host:port` pair of an address; IPv6 is in square brackets. */
export function parsePlace(place: string, defaultPort: number): RedisPlace {
  const [, bracketed, plain, digits = String(defaultPort)] =
    /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(place) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  if (host === undefined || port < 1 || port > 65_535) {
    throw new Error(`REDIS_URL: "${place}" is not a host and a port`)
  }
  return { host, port }
}
