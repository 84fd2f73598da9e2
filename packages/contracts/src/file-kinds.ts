/** The supported kinds of file; everything else is refused at upload. */
export const fileKinds = ['code', 'image', 'archive', 'document'] as const
export type FileKind = (typeof fileKinds)[number]

export function isFileKind(text: string): text is FileKind {
  return (fileKinds as readonly string[]).includes(text)
}
