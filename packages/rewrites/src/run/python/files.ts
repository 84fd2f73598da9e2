/** The path of Python's standard library, the only file. */
export const STDLIB_PATH = '/lib/python.zip'

const ERRNO = { badFile: 8, invalid: 28, missing: 44, notThere: 52, noTerminal: 59, illegalSeek: 70 }
const MODE = { file: 0o100444, folder: 0o40555, stream: 0o20666 }
const WRITE_FLAGS = 3
const STAT_BYTES = 96
const FOLDERS = new Set(['/', '/lib', '.'])

interface OpenFile {
  at: number
}

/**
 * A read-only file system with one file. Output is discarded.
 * @param spend counts the bytes that a call copies or reads, because WebAssembly does not count them
 */
export function createFiles(memory: () => ArrayBuffer, stdlib: Uint8Array, spend: (bytes: number) => void) {
  const open = new Map<number, OpenFile>()
  const view = (): DataView => new DataView(memory())

  function textAt(at: number): string {
    const bytes = new Uint8Array(memory())
    const end = bytes.indexOf(0, at)
    spend(end - at)
    return Buffer.from(bytes.subarray(at, end)).toString()
  }

  function writeStat(at: number, mode: number, size: number): number {
    new Uint8Array(memory(), at, STAT_BYTES).fill(0)
    view().setInt32(at, 1, true)
    view().setInt32(at + 4, mode, true)
    view().setUint32(at + 8, 1, true)
    view().setBigInt64(at + 24, BigInt(size), true)
    view().setInt32(at + 32, 4096, true)
    view().setBigInt64(at + 88, 1n, true)
    return 0
  }

  function stat(path: number, at: number): number {
    const text = textAt(path)
    if (text === STDLIB_PATH) return writeStat(at, MODE.file, stdlib.length)
    return FOLDERS.has(text) ? writeStat(at, MODE.folder, 0) : -ERRNO.missing
  }

  /** The addresses and lengths of the buffers in a call. */
  function buffersAt(list: number, count: number): Array<{ at: number; length: number }> {
    return Array.from({ length: count }, (_, index) => ({
      at: view().getUint32(list + 8 * index, true),
      length: view().getUint32(list + 8 * index + 4, true)
    }))
  }

  const imports = {
    __syscall_openat: (_folder: number, path: number, flags: number): number => {
      if (textAt(path) !== STDLIB_PATH || (flags & WRITE_FLAGS) !== 0) return -ERRNO.missing
      let descriptor = 3
      while (open.has(descriptor)) descriptor++
      open.set(descriptor, { at: 0 })
      return descriptor
    },
    __syscall_stat64: stat,
    __syscall_lstat64: stat,
    __syscall_newfstatat: (_folder: number, path: number, at: number): number => stat(path, at),
    __syscall_fstat64: (descriptor: number, at: number): number => {
      if (descriptor < 3) return writeStat(at, MODE.stream, 0)
      return open.has(descriptor) ? writeStat(at, MODE.file, stdlib.length) : -ERRNO.badFile
    },
    __syscall_fcntl64: (): number => 0,
    _try_fcntl64: (): number => -1,
    // On import, some modules test whether they can poll.
    _maybe_poll_async: (): null => null,
    __syscall_poll: (): number => -ERRNO.notThere,
    __syscall_ioctl: (): number => -ERRNO.noTerminal,
    __syscall_faccessat: (): number => -ERRNO.missing,
    __syscall_readlinkat: (): number => -ERRNO.invalid,
    __syscall_getcwd: (at: number): number => {
      new Uint8Array(memory()).set([47, 0], at)
      return 2
    },
    __syscall_getuid32_js: (): number => 0,
    __syscall_umask_js: (): number => 0,
    fd_close: (descriptor: number): number => (open.delete(descriptor) ? 0 : ERRNO.badFile),
    fd_fdstat_get: (descriptor: number, at: number): number => {
      new Uint8Array(memory(), at, 24).fill(0)
      view().setUint8(at, descriptor < 3 ? 2 : 4)
      return 0
    },
    fd_seek: (descriptor: number, offset: bigint, whence: number, result: number): number => {
      const file = open.get(descriptor)
      if (file === undefined) return ERRNO.illegalSeek
      const from = whence === 0 ? 0 : whence === 1 ? file.at : stdlib.length
      file.at = Math.max(0, from + Number(offset))
      view().setBigInt64(result, BigInt(file.at), true)
      return 0
    },
    fd_read: (descriptor: number, list: number, count: number, result: number): number => {
      const file = open.get(descriptor)
      if (file === undefined && descriptor !== 0) return ERRNO.badFile
      let total = 0
      for (const { at, length } of file === undefined ? [] : buffersAt(list, count)) {
        const part = stdlib.subarray(file!.at, file!.at + length)
        new Uint8Array(memory()).set(part, at)
        file!.at += part.length
        total += part.length
      }
      spend(total)
      view().setUint32(result, total, true)
      return 0
    },
    fd_write: (_descriptor: number, list: number, count: number, result: number): number => {
      const total = buffersAt(list, count).reduce((sum, { length }) => sum + length, 0)
      view().setUint32(result, total, true)
      return 0
    }
  }

  return {
    imports,
    reset: (): void => {
      open.clear()
    }
  }
}
