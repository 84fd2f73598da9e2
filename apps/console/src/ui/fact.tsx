import type { ComponentChildren, JSX } from 'preact'

/** One row of a `dl` with the class `facts`. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
