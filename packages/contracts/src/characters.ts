// Character ranges, as in the brackets of a pattern with the flag u.

export const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f'
/** Characters that change the reading order: "gpj.exe" displays as "exe.jpg". */
export const BIDI_OVERRIDE = '\\u202a-\\u202e\\u2066-\\u2069'
/** Lone surrogates, and the replacement for bytes that were not UTF-8. */
export const NO_UNICODE = '\\ud800-\\udfff\\ufffd'
