/** An expected failure: one sentence for the user, and the output of the failed program if there is any. */
export class Failure extends Error {
  /**
   * @param {string} sentence
   * @param {string} [output]
   */
  constructor(sentence, output = '') {
    super(sentence)
    this.output = output
  }
}

/**
 * Runs an entry point; a Failure is told without a stack trace.
 * @param {() => Promise<void>} main
 */
export async function runMain(main) {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.output !== '') console.error(error.output.trimEnd())
    console.error(error.message)
    process.exitCode = 1
  }
}
