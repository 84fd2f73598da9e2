import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { EventType } from '@filewright/client/browser'
import { eventNames, eventTexts } from './webhook-texts.js'

export interface EventChoiceProps {
  label: string
  chosen: readonly EventType[]
  onChange: (events: EventType[]) => void
}

export function EventChoice({ label, chosen, onChange }: EventChoiceProps): JSX.Element {
  const id = useId()
  return (
    <fieldset class="event-choice">
      <legend>{label}</legend>
      {eventNames.map((name) => (
        <div key={name} class="check">
          <input
            id={`${id}-${name}`}
            type="checkbox"
            checked={chosen.includes(name)}
            aria-describedby={`${id}-${name}-help`}
            onChange={(event) => {
              const isChosen = event.currentTarget.checked
              onChange(eventNames.filter((each) => (each === name ? isChosen : chosen.includes(each))))
            }}
          />
          <div>
            <label for={`${id}-${name}`}>
              <code>{name}</code>
            </label>
            <p id={`${id}-${name}-help`} class="help">
              {eventTexts[name]}
            </p>
          </div>
        </div>
      ))}
    </fieldset>
  )
}
