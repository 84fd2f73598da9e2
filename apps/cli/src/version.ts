/**
 * The version in package.json, which a test compares. The published file has no package.json at a fixed path.
 */
export const VERSION = '0.1.0'
