/**
 * TypeBox, for all packages. It has 680 modules, which take Node.js half a second to find and read: they are
 * bundled into one file here, which takes a tenth of that.
 */
export { Type, type Static, type TObject, type TSchema } from 'typebox'
export { Compile, type Validator } from 'typebox/compile'
export { Value } from 'typebox/value'
