/** The parts of Emscripten's file system that a custom file system needs. */
export interface SevenZipFs {
  ErrnoError: new (errno: number) => Error
  createNode: (parent: FsNode | null, name: string, mode: number, device: number) => FsNode
  isDir: (mode: number) => boolean
  mkdir: (path: string) => void
  unlink: (path: string) => void
  mount: (type: { mount: () => FsNode }, options: object, path: string) => void
}

interface FsNode {
  id: number
  mode: number
  node_ops: object
  stream_ops: object
  sizeBytes?: number
  writtenBytes?: number
}

interface FsStream {
  node: FsNode
  position: number
}

const DIRECTORY = 0o040777
const FILE = 0o100666
const ENOENT = 44
const EINVAL = 28
const SEEK_CURRENT = 1
const SEEK_END = 2
const LONGEST_GAP_BYTES = 1024 * 1024

function attributesOf(node: FsNode): object {
  const at = new Date(0)
  return {
    dev: 1,
    ino: node.id,
    mode: node.mode,
    nlink: 1,
    uid: 0,
    gid: 0,
    rdev: 0,
    size: node.sizeBytes ?? 0,
    atime: at,
    mtime: at,
    ctime: at,
    blksize: 4096,
    blocks: 0
  }
}

function seekIn(fs: SevenZipFs) {
  return ({ node, position }: FsStream, offset: number, whence: number): number => {
    const from = whence === SEEK_CURRENT ? position : whence === SEEK_END ? (node.sizeBytes ?? 0) : 0
    if (from + offset < 0) throw new fs.ErrnoError(EINVAL)
    return from + offset
  }
}

/** Mounts a folder with the archive as its only file, without copying it. */
export function mountArchive(fs: SevenZipFs, path: string, archive: Uint8Array): void {
  fs.mkdir(path)
  fs.mount(
    {
      mount: () => {
        const root = fs.createNode(null, '/', DIRECTORY, 0)
        root.node_ops = {
          getattr: attributesOf,
          lookup: () => {
            throw new fs.ErrnoError(ENOENT)
          },
          readdir: () => ['.', '..', 'archive']
        }
        root.stream_ops = {}
        const file = fs.createNode(root, 'archive', FILE, 0)
        file.sizeBytes = archive.length
        file.node_ops = { getattr: attributesOf }
        file.stream_ops = {
          llseek: seekIn(fs),
          read: (_stream: FsStream, into: Uint8Array, offset: number, length: number, position: number) => {
            const bytes = archive.subarray(position, position + length)
            into.set(bytes, offset)
            return bytes.length
          }
        }
        return root
      }
    },
    {},
    path
  )
}

export interface UnpackFolderEvents {
  onOpen: (name: string) => void
  onBytes: (bytes: Uint8Array) => void
  onClose: () => void
}

/** Creates a folder that stores nothing: data written to its files is passed on immediately. */
export function createUnpackFolder(
  fs: SevenZipFs,
  path: string,
  { onOpen, onBytes, onClose }: UnpackFolderEvents
): void {
  const ignore = (): void => {}

  function write(
    { node }: FsStream,
    from: Uint8Array,
    offset: number,
    length: number,
    position: number
  ): number {
    const gap = position - (node.writtenBytes ?? 0)
    if (gap < 0) throw new fs.ErrnoError(EINVAL)
    // A hole in a sparse file. The archive decides its length, so long holes are shortened.
    if (gap > 0) onBytes(new Uint8Array(Math.min(gap, LONGEST_GAP_BYTES)))
    onBytes(from.subarray(offset, offset + length))
    node.writtenBytes = position + length
    node.sizeBytes = Math.max(node.sizeBytes ?? 0, node.writtenBytes)
    return length
  }

  function createFile(parent: FsNode, name: string): FsNode {
    const file = fs.createNode(parent, name, FILE, 0)
    file.node_ops = {
      getattr: attributesOf,
      setattr: (node: FsNode, { size }: { size?: number }) => {
        if (size !== undefined) node.sizeBytes = size
      }
    }
    file.stream_ops = {
      open: () => onOpen(name),
      close: onClose,
      llseek: seekIn(fs),
      write,
      read: () => 0
    }
    return file
  }

  function createFolder(parent: FsNode | null, name: string): FsNode {
    const folder = fs.createNode(parent, name, DIRECTORY, 0)
    folder.node_ops = {
      getattr: attributesOf,
      setattr: ignore,
      lookup: () => {
        throw new fs.ErrnoError(ENOENT)
      },
      mknod: (into: FsNode, name: string, mode: number) =>
        fs.isDir(mode) ? createFolder(into, name) : createFile(into, name),
      symlink: createFile,
      readdir: () => ['.', '..'],
      unlink: ignore,
      rmdir: ignore,
      rename: ignore
    }
    folder.stream_ops = {}
    return folder
  }

  fs.mkdir(path)
  fs.mount({ mount: () => createFolder(null, '/') }, {}, path)
  letFoldersReplaceFiles(fs)
}

/** Files and folders of the archive share one folder, so a file may have the name of a needed folder. */
function letFoldersReplaceFiles(fs: SevenZipFs): void {
  const mkdir = fs.mkdir.bind(fs)
  fs.mkdir = (path) => {
    try {
      fs.unlink(path)
    } catch {
      // The file does not exist, or is a folder.
    }
    mkdir(path)
  }
}
