export interface IdleTimer {
  touch: () => void
  stop: () => void
}

/** Fires once if `touch` is not called for that long. After `stop` it never fires. */
export function createIdleTimer(timeoutMs: number, onIdle: () => void): IdleTimer {
  let timer: NodeJS.Timeout | undefined = setTimeout(onIdle, timeoutMs)
  return {
    touch: () => {
      timer?.refresh()
    },
    stop: () => {
      clearTimeout(timer)
      timer = undefined
    }
  }
}
