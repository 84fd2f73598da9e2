import type { Tracing } from './tracing.js'

type Call = (...args: never[]) => Promise<unknown>

/** Calls that leave the process become spans; everything else is unchanged. */
export function traced<P extends object>(
  part: P,
  tracing: Tracing,
  names: { [K in keyof P]?: P[K] extends Call ? string : never }
): P {
  if (!tracing.isOn) return part
  const spans = Object.entries(names as Record<string, string>).map(([key, name]) => {
    const call = part[key as keyof P] as (...args: unknown[]) => Promise<unknown>
    return [
      key,
      async (...args: unknown[]) =>
        await tracing.span(name, 'client', {}, async () => await call.apply(part, args))
    ]
  })
  return { ...part, ...(Object.fromEntries(spans) as Partial<P>) }
}
