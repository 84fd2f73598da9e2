/**
 * A URL with several hosts, such as redis+cluster://a:6379,b:6379, with only the first: a URL has one host.
 */
export function firstPlace(address: string): string {
  return address.replace(/^(\w+\+\w+:\/\/(?:[^@/]*@)?[^,/]*),[^/]*/, '$1')
}
