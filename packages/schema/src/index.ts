/**
 * TypeBox, for everyone who describes or checks data. It has 680 modules, and Node.js takes half a second to
 * find and read them: they are made into one file here, which takes a tenth of that.
 */
export { Type, type Static, type TObject, type TSchema } from 'typebox'
export { Compile, type Validator } from 'typebox/compile'
export { Value } from 'typebox/value'
