import { FilewrightClient, type FilewrightOptions } from './filewright.js'
import { nodePlatform } from './node-platform.js'

export * from './exports.js'

/** Filewright for Node.js. */
export class Filewright extends FilewrightClient {
  constructor(options: FilewrightOptions) {
    super(nodePlatform, options)
  }
}
