/** As in package.json, which a test compares: the published file has none beside it at a fixed place. */
export const VERSION = '0.1.0'
