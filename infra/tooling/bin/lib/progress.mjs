const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const LINE_EVERY_MS = 30_000

/**
 * @param {number} startedAt
 * @returns {string}
 */
function secondsSince(startedAt) {
  return `${Math.round((Date.now() - startedAt) / 1000)} s`
}

/**
 * One line per step: a spinner on a terminal, plain lines elsewhere. It writes to stderr, since stdout may be
 * read by a program.
 * @param {NodeJS.WriteStream} [stream]
 */
export function createProgress(stream = process.stderr) {
  const live = stream.isTTY === true

  return {
    /**
     * @template T
     * @param {string} label
     * @param {(tell: (soFar: string) => void) => Promise<T>} work may tell how far it is
     * @returns {Promise<T>}
     */
    async step(label, work) {
      const startedAt = Date.now()
      let frame = 0
      let soFar = ''
      const draw = () =>
        stream.write(
          live
            ? `\r\u001b[K${FRAMES[frame++ % FRAMES.length]} ${label}… ${soFar}${secondsSince(startedAt)}`
            : `${label}… ${soFar}${secondsSince(startedAt)}\n`
        )
      if (live) draw()
      else stream.write(`${label}…\n`)
      const timer = setInterval(draw, live ? 100 : LINE_EVERY_MS)
      try {
        const result = await work((text) => {
          soFar = `${text}, `
        })
        stream.write(`${live ? '\r\u001b[K' : ''}${label}: done in ${secondsSince(startedAt)}\n`)
        return result
      } catch (error) {
        stream.write(`${live ? '\r\u001b[K' : ''}${label}: failed after ${secondsSince(startedAt)}\n`)
        throw error
      } finally {
        clearInterval(timer)
      }
    }
  }
}

/** @typedef {ReturnType<typeof createProgress>} Progress */
