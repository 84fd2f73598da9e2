/** The package has no types of its own. */
declare module 'htmlhint' {
  interface TagEvent {
    tagName: string
    line: number
    /** The slash of `<br/>`. */
    close?: string
  }

  const htmlhint: {
    HTMLHint: {
      verify(
        html: string,
        rules: Record<string, unknown>
      ): { line: number; raw: string; rule: { id: string } }[]
    }
    HTMLParser: new () => {
      addListener(type: 'tagstart' | 'tagend', listener: (event: TagEvent) => void): void
      parse(html: string): void
    }
  }
  export default htmlhint
}
