/** Why a component is limited although it works. */
export const partNotes = ['baseline-signatures', 'sandbox', 'models-missing'] as const
export type PartNote = (typeof partNotes)[number]

/** The sentences shown for them. */
export const partNoteSentences: Record<PartNote, string> = {
  'baseline-signatures':
    'It recognizes test files only: the official signatures are not installed. Do not rely on it.',
  sandbox: 'A sandbox answers with fixed samples. It is not a language model.',
  'models-missing': 'Some models are not installed. Requests to them fail.'
}
