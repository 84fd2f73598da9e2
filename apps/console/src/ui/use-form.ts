import { useSession } from '../console-context.js'
import type { FormValues } from '../session/forms.js'

export interface Form<Values extends FormValues> {
  isOpen: boolean
  values: Values
  open: () => void
  set: (changes: Partial<Values>) => void
  /** It was sent or given up: forgets what was typed. */
  close: () => void
}

/**
 * A form whose state belongs to the session: it is open again, with what was typed, after another view, a reload
 * or a new sign-in of the same user.
 *
 * @param start the values of fields that the user has not changed
 */
export function useForm<Values extends FormValues>(name: string, start: Values): Form<Values> {
  const { forms } = useSession()
  const typed = forms.texts.value[name]
  return {
    isOpen: typed !== undefined,
    values: { ...start, ...typed },
    open: () => {
      forms.set(name, {})
    },
    set: (changes) => {
      // Not `typed`: the form may have been closed since it was rendered.
      forms.set(name, { ...forms.texts.peek()[name], ...(changes as FormValues) })
    },
    close: () => {
      forms.set(name, null)
    }
  }
}
