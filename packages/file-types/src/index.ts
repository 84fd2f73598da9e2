export { UNKNOWN_CHARSET } from './charset.js'
export { isBareLzma } from './lzma-header.js'
export { isInlineSafe, type Detection } from './supported-types.js'
export { createTypeSniffer } from './type-sniffer.js'
