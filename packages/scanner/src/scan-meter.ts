export interface ScanCosts {
  unpackedBytes: number
  waitedMs: number
}

/** Records the cost of a scan, whether it ends with a verdict or not. */
export interface ScanMeter {
  addUnpacked: (bytes: number) => void
  /** Runs a wait for other scans, which does not count as this scan's time. */
  wait: <T>(waiting: () => Promise<T>) => Promise<T>
  costs: () => ScanCosts
}

export interface ScanMeterOptions {
  /** Called when a wait starts and ends. */
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
