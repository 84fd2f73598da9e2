import type { Container } from './container.js'
import { imageContainers } from './image-containers.js'
import { libraryContainers } from './library-containers.js'
import { archiveContainers } from './nested-containers.js'
import { officeContainers } from './office-containers.js'
import { pdfContainers } from './pdf-containers.js'
import { textContainers } from './text-containers.js'

export const containers: Container[] = [
  ...textContainers,
  ...libraryContainers,
  ...archiveContainers,
  ...pdfContainers,
  ...officeContainers,
  ...imageContainers
]
