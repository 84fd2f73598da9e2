/** The number of first inputs. Most mistakes show with one of them. */
const FIRST_INPUTS = 24

/**
 * Sets for each mutant whether an input shows a difference to the original. Few inputs come first: a mistake
 * without effect must not use up the work for all others.
 */
export async function noticeMutants<Mutant extends { texts: readonly string[] }>(
  mutants: readonly Mutant[],
  noticed: boolean[],
  notices: (mutant: Mutant, text: string, maxInputs: number) => Promise<boolean>
): Promise<void> {
  for (const maxInputs of [FIRST_INPUTS, Infinity]) {
    for (const [index, mutant] of mutants.entries()) {
      for (const text of mutant.texts) {
        noticed[index] ||= await notices(mutant, text, maxInputs)
      }
    }
  }
}
