import { appArguments, type AppName } from '@filewright/runtime'
import { ROOT } from '../../helpers/root.js'

/** The command that starts an app in its image: as on this machine, but from the folder with its bundle. */
export function startCommand(app: string): string[] {
  return [
    'node',
    ...appArguments(ROOT, app as AppName).map((argument) => (argument.startsWith('/') ? 'main.js' : argument))
  ]
}
