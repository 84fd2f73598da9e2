import { Dicer } from '@fastify/busboy'

const guarded = Symbol('guarded')

/**
 * The parser does not listen to the parts that it skips past its limit: a form that ends inside one of them
 * raises an error event that nobody hears, and that ends the process. With a listener on every part from its
 * beginning it is what it should be, the error of one form.
 *
 * Still so in the version that package.json pins; a test fails when it no longer is.
 */
export function listenToSkippedParts(): void {
  const prototype = Dicer.prototype as {
    emit: (event: string, ...args: unknown[]) => boolean
    [guarded]?: true
  }
  if (prototype[guarded] === true) return
  const { emit } = prototype
  prototype.emit = function (event, ...args) {
    if (event === 'part') (args[0] as NodeJS.EventEmitter).on('error', () => {})
    return emit.call(this, event, ...args)
  }
  prototype[guarded] = true
}
