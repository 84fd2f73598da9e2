/** Names that point to embedded files: in file specifications, and in LibreOffice's hybrid files. */
export const POINTER_NAMES = ['EF', 'RF', 'AdditionalStreams']
/** Names by which a stream declares itself an embedded file. */
export const FILE_TYPE_NAMES = ['EmbeddedFile', '3D']
/** The type of object streams, and a key that only they have: some readers ignore the type. */
export const OBJECT_STREAM_NAMES = ['ObjStm', 'First']
export const ENCRYPTION_NAME = 'Encrypt'

/**
 * A PDF without any of these names has no embedded file, is not encrypted, and has no object stream that
 * could hide one.
 */
export const TELLING_NAMES = [...POINTER_NAMES, ...FILE_TYPE_NAMES, ...OBJECT_STREAM_NAMES, ENCRYPTION_NAME]
