// Ranges of characters, as they stand in the brackets of a pattern with the flag u.

export const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f'
/** Marks that make a text read otherwise than it is stored: "gpj.exe" shown as "exe.jpg". */
export const BIDI_OVERRIDE = '\\u202a-\\u202e\\u2066-\\u2069'
/** Halves of surrogate pairs, and what stands where bytes were not UTF-8. */
export const NO_UNICODE = '\\ud800-\\udfff\\ufffd'
