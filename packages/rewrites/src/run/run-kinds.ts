/** One in this many runs uses extreme numbers. */
const WILD_EVERY = 6
/** One in this many runs uses long arrays and strings. */
const LONG_EVERY = 200
export const isLong = (run: number): boolean => run % LONG_EVERY === LONG_EVERY - 1
/** One in this many runs uses arrays nested deeper than functions can recurse. */
const isDeep = (run: number): boolean => run % LONG_EVERY === LONG_EVERY - 2
export const isLarge = (run: number): boolean => isLong(run) || isDeep(run)

/** The harness's number for the kind of a run. */
export const kindOf = (run: number): number =>
  isLong(run) ? 2 : isDeep(run) ? 3 : run % WILD_EVERY === 0 ? 1 : 0
