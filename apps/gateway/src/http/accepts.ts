/** Whether an Accept header lists the media type with a weight above 0. */
export function accepts(header: string | undefined, mediaType: string): boolean {
  return (header ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.toLowerCase().split(';')
    return type.trim() === mediaType && !parameters.some((each) => /^\s*q=0(?:\.0*)?\s*$/.test(each))
  })
}
