/** One run in so many has numbers at the edges of what numbers can be. */
const WILD_EVERY = 6
/** One run in so many has long arrays and strings. */
const LONG_EVERY = 200
export const isLong = (run: number): boolean => run % LONG_EVERY === LONG_EVERY - 1
/** One run in so many has arrays that are nested as deep as no function calls itself. */
const isDeep = (run: number): boolean => run % LONG_EVERY === LONG_EVERY - 2
export const isLarge = (run: number): boolean => isLong(run) || isDeep(run)

/** As the harness numbers them. */
export const kindOf = (run: number): number =>
  isLong(run) ? 2 : isDeep(run) ? 3 : run % WILD_EVERY === 0 ? 1 : 0
