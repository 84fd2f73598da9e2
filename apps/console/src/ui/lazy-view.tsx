import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Outdated } from './outdated.js'
import { Skeleton } from './skeleton.js'

/** A view whose script is loaded when it is first shown, so that the first view of the console is small. */
export function lazyView<Props extends object>(
  load: () => Promise<ComponentType<Props>>
): (props: Props) => JSX.Element {
  let loaded: ComponentType<Props> | undefined
  return function LazyView(props) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(
      loaded === undefined ? 'loading' : 'loaded'
    )
    useEffect(() => {
      if (loaded !== undefined) return
      load().then(
        (view) => {
          loaded = view
          setState('loaded')
        },
        () => {
          setState('failed')
        }
      )
    }, [])
    const View = loaded
    if (state === 'loaded' && View !== undefined) return <View {...props} />
    return (
      <main id="main" tabIndex={-1} class="page">
        {state === 'failed' ? <Outdated /> : <Skeleton rows={8} />}
      </main>
    )
  }
}
