import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Of this process: two runs must not wait for each other's lock. */
export const LIBREOFFICE_PROFILE = join(tmpdir(), `filewright-office-${process.pid}`)

/** LibreOffice without windows. */
export const LIBREOFFICE = `soffice --headless -env:UserInstallation=file://${LIBREOFFICE_PROFILE}`
