import { Dicer } from '@fastify/busboy'

const guarded = Symbol('guarded')

/**
 * The parser does not listen to the parts that it skips beyond its limit. If a form ends inside one of them,
 * the stream emits an error without a listener, which would end the process. With a listener on every part,
 * it is an ordinary error of one form.
 * The version in package.json still has this fault. A test fails once it is fixed.
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
