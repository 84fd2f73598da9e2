import type { Proof } from './ai.js'

/** The last sentence of a proven finding's message. */
export const proofSentence = ({ input, observed }: Pick<Proof, 'input' | 'observed'>): string =>
  `Proven: \`${input}\`: ${observed}.`

/** The message of a finding without the sentence about its proof. */
export function withoutProof({ message, proof }: { message: string; proof?: Proof | undefined }): string {
  if (proof === undefined) return message
  const sentence = ` ${proofSentence(proof)}`
  return message.endsWith(sentence) ? message.slice(0, -sentence.length) : message
}
