import { NotFoundError } from '@filewright/client/browser'

/** A deletion that someone else was faster with has succeeded. */
export async function unlessGone(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
  }
}
