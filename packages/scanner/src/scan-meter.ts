export interface ScanCosts {
  unpackedBytes: number
  waitedMs: number
}

/** Notes what a scan costs, whether it ends with a verdict or not. */
export interface ScanMeter {
  addUnpacked: (bytes: number) => void
  /** Runs a wait for others, which is no time of this scan. */
  wait: <T>(waiting: () => Promise<T>) => Promise<T>
  costs: () => ScanCosts
}

export interface ScanMeterOptions {
  /** Told when a wait begins and when it ends. */
  onWaiting?: (isWaiting: boolean) => void
}

export function createScanMeter({ onWaiting }: ScanMeterOptions = {}): ScanMeter {
  let unpackedBytes = 0
  let waitedMs = 0
  return {
    addUnpacked: (bytes) => {
      unpackedBytes += bytes
    },
    wait: async (waiting) => {
      const since = performance.now()
      onWaiting?.(true)
      try {
        return await waiting()
      } finally {
        waitedMs += performance.now() - since
        onWaiting?.(false)
      }
    },
    costs: () => ({ unpackedBytes, waitedMs: Math.round(waitedMs) })
  }
}
