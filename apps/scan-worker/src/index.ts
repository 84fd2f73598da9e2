export { createScanFileHandler, type ScanFileDeps } from './scan-file.handler.js'
export { ScanWorkerConfig } from './config.js'
export { createSealKey } from './seal-key.js'
