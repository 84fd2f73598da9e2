import { signal, type ReadonlySignal } from '@preact/signals'

/** What is typed and chosen in a form, by field. */
export type FormValues = Readonly<Record<string, string>>
/** By the form and what it changes, such as `rename 4Xk…`. */
export type FormTexts = Readonly<Record<string, FormValues>>

/** The forms that are open, with what the user has typed. They outlive the views, which may be left at any time. */
export interface Forms {
  texts: ReadonlySignal<FormTexts>
  /** @param values null when the form was sent or given up */
  set: (form: string, values: FormValues | null) => void
  restore: (texts: FormTexts) => void
}

export function createForms(): Forms {
  const texts = signal<FormTexts>({})
  return {
    texts,
    set: (form, values) => {
      const { [form]: _before, ...others } = texts.peek()
      texts.value = values === null ? others : { ...others, [form]: values }
    },
    restore: (kept) => {
      texts.value = kept
    }
  }
}
