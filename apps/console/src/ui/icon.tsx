import type { JSX } from 'preact'

const shapes = {
  folder:
    'M3 6.5A1.5 1.5 0 0 1 4.5 5H9l2 2.5h8.5A1.5 1.5 0 0 1 21 9v9.5a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 18.5z',
  file: 'M6.5 3H14l4.5 4.5v12A1.5 1.5 0 0 1 17 21H6.5A1.5 1.5 0 0 1 5 19.5v-15A1.5 1.5 0 0 1 6.5 3zM13.5 3.5V8H18',
  image:
    'M4.5 4h15A1.5 1.5 0 0 1 21 5.5v13a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 18.5v-13A1.5 1.5 0 0 1 4.5 4zM3.5 16.5 9 11l4.5 4.5L16 13l4.5 4.5M15.5 8.5h.01',
  code: 'm8 7-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14',
  archive: 'M4 4h16v4.5H4zM5 8.5V19a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V8.5M10 12.5h4',
  document:
    'M6.5 3H14l4.5 4.5v12A1.5 1.5 0 0 1 17 21H6.5A1.5 1.5 0 0 1 5 19.5v-15A1.5 1.5 0 0 1 6.5 3zM8.5 12h7M8.5 15.5h7M8.5 8.5H11',
  upload: 'M12 16V4.5M7 9l5-4.5L17 9M4 16.5V19a1.5 1.5 0 0 0 1.5 1.5h13A1.5 1.5 0 0 0 20 19v-2.5',
  download: 'M12 4v11.5M7 11l5 4.5 5-4.5M4 16.5V19a1.5 1.5 0 0 0 1.5 1.5h13A1.5 1.5 0 0 0 20 19v-2.5',
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20.5 20.5',
  close: 'M6 6l12 12M18 6 6 18',
  chevron: 'm9 5.5 6.5 6.5L9 18.5',
  first: 'M17.5 5.5 11 12l6.5 6.5M7 5.5v13',
  last: 'M6.5 5.5 13 12l-6.5 6.5M17 5.5v13',
  up: 'M12 19V5.5M6.5 11 12 5.5l5.5 5.5',
  down: 'M12 5v13.5M6.5 13l5.5 5.5L17.5 13',
  plus: 'M12 5v14M5 12h14',
  trash: 'M4.5 6.5h15M9 6.5V4.5h6v2M6.5 6.5 7.5 20h9l1-13.5M10 10.5v6M14 10.5v6',
  copy: 'M9 8.5A1.5 1.5 0 0 1 10.5 7h8A1.5 1.5 0 0 1 20 8.5v10a1.5 1.5 0 0 1-1.5 1.5h-8A1.5 1.5 0 0 1 9 18.5zM15 7V5.5A1.5 1.5 0 0 0 13.5 4h-8A1.5 1.5 0 0 0 4 5.5v10A1.5 1.5 0 0 0 5.5 17H9',
  retry: 'M19.5 12a7.5 7.5 0 1 1-2.3-5.400M19.5 4v4.5H15',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  warning: 'M12 4 2.5 20h19zM12 10v4.5M12 17.200h.01',
  error: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 8v5M12 16h.01',
  bulb: 'M9.5 17.5c0-2-3-3.5-3-7a5.5 5.5 0 0 1 11 0c0 3.5-3 5-3 7zM10 20.5h4',
  shield: 'M12 3.5 5 6v6c0 4.5 3 7.5 7 9 4-1.5 7-4.5 7-9V6zM9 12l2.2 2.2L15.5 10',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.400 1.400M17.3 17.3l1.400 1.400M18.700 5.3l-1.400 1.400M6.700 17.3l-1.400 1.400',
  history: 'M4.5 12a7.5 7.5 0 1 0 2.3-5.400M4.5 4v4.5H9M12 8v4.5l3 2',
  user: 'M12 4.5a3.750 3.750 0 1 1 0 7.500 3.750 3.750 0 0 1 0-7.500zM4.500 20c.8-3.800 3.700-5.500 7.500-5.500s6.700 1.700 7.500 5.500',
  service: 'M3 12h4l2.5-6 5 12 2.5-6h4',
  out: 'M14 4.5h4.5A1.5 1.5 0 0 1 20 6v12a1.5 1.5 0 0 1-1.5 1.5H14M3.5 12h11M11 8l4 4-4 4',
  key: 'M8 11.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM11 12.700 20 4M16.500 7.300l2.500 2.500',
  hook: 'M10 14.5a4 4 0 0 0 5.700.3l3-3a4 4 0 0 0-5.700-5.700l-1.300 1.300M14 9.500a4 4 0 0 0-5.700-.3l-3 3a4 4 0 0 0 5.700 5.700l1.300-1.300',
  menu: 'M4 7h16M4 12h16M4 17h16',
  stop: 'M7 7h10v10H7z',
  save: 'M5.5 4H16l4 4v10.5a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5v-13A1.5 1.5 0 0 1 5.5 4zM8 4v5h7V4M8 20v-6.5h8V20'
}

export type IconName = keyof typeof shapes

/** Decorative only: the text beside it has the meaning. */
export function Icon({ name, class: className = '' }: { name: IconName; class?: string }): JSX.Element {
  return (
    <svg class={`icon ${className}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={shapes[name]} />
    </svg>
  )
}

export function iconOfType(type: string): IconName {
  if (type.startsWith('image/')) return 'image'
  if (/zip|tar|compressed|gzip|rar|7z|archive/.test(type)) return 'archive'
  if (/pdf|word|document|sheet|presentation|rtf|epub|text\/plain|markdown/.test(type)) return 'document'
  if (/^text\/|json|xml|javascript|yaml|toml|sql/.test(type)) return 'code'
  return 'file'
}
