/** What is typed and chosen in a form, by field. */
export type FormValues = Readonly<Record<string, string>>

export interface Form<Values extends FormValues> {
  isOpen: boolean
  values: Values
  open: () => void
  set: (changes: Partial<Values>) => void
  /** It was sent or given up: forgets what was typed. */
  close: () => void
}
