/** A process that waits for a core on a busy machine is late by less than this. */
const LEAST_MS = 5_000
const LOOK_EVERY_MS = 500

/** @typedef {{ from: number, to: number }} Span in milliseconds of `Date.now()` */

/**
 * Watches for times in which this process did not run at all, as when a virtual machine is paused. Every deadline
 * that a test waits for then passes at once.
 * @param {{ now?: () => number }} [options]
 */
export function watchStandstills({ now = Date.now } = {}) {
  /** @type {Span[]} */
  const found = []
  let last = now()
  const look = () => {
    const at = now()
    if (at - last >= LEAST_MS) found.push({ from: last, to: at })
    last = at
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return {
    look,
    /** @returns {readonly Span[]} */
    found: () => found,
    /** @param {Span} span */
    isWithin: ({ from, to }) => found.some((one) => one.from < to && one.to > from),
    stop: () => clearInterval(timer)
  }
}
