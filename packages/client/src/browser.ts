import { browserPlatform } from './browser-platform.js'
import { FilewrightClient, type FilewrightOptions } from './filewright.js'

export * from './exports.js'

/** Filewright for browsers. */
export class Filewright extends FilewrightClient {
  constructor(options: FilewrightOptions) {
    super(browserPlatform, options)
  }
}
