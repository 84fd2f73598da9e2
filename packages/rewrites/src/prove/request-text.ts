const MAX_FIELDS = 6

/** Methods of requests that the code names. */
export const methodsIn = (js: string): string[] =>
  [...js.matchAll(/(['"`])(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)\1/g)].map((match) => match[2]!).slice(0, 4)

/** Paths that the code compares with the request's. */
export const targetsIn = (js: string): string[] =>
  [...js.matchAll(/[!=]==?\s{0,9}(['"`])(\/[\w./-]{1,40})\1/g)].map((match) => match[2]!).slice(0, 3)

/** Names of fields that the code reads from the query of an address. */
export function queryFields(js: string): string[] {
  if (!/URLSearchParams|searchParams|\bparse\(/.test(js)) return []
  const found = [
    ...js.matchAll(/\.get(?:All)?\(\s*['"]([\w.-]{1,40})['"]\s*\)/g),
    ...js.matchAll(/\bquery\.([\w$]{1,40})/g),
    ...js.matchAll(/\bquery\[['"]([\w.-]{1,40})['"]\]/g)
  ].map((match) => match[1]!)
  return [...new Set(found)].slice(0, MAX_FIELDS)
}

/** The value of a field, between two quotes of the address. */
export function inQuery(value: string): string {
  return /^"(?:[^"\\]|\\.)*"$/.test(value)
    ? encodeURIComponent(JSON.parse(value) as string)
    : `" + encodeURIComponent(${value}) + "`
}
