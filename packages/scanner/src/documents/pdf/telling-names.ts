/** What points to embedded files: in file specifications, and LibreOffice's own way in its hybrid files. */
export const POINTER_NAMES = ['EF', 'RF', 'AdditionalStreams']
/** What a stream says of itself that is one. */
export const FILE_TYPE_NAMES = ['EmbeddedFile', '3D']
/** By its type, and by what only object streams have: some readers do not ask for the type. */
export const OBJECT_STREAM_NAMES = ['ObjStm', 'First']
export const ENCRYPTION_NAME = 'Encrypt'

/**
 * Without any of these a PDF has no embedded file, is not encrypted, and has no object stream that could hide
 * one.
 */
export const TELLING_NAMES = [...POINTER_NAMES, ...FILE_TYPE_NAMES, ...OBJECT_STREAM_NAMES, ENCRYPTION_NAME]
