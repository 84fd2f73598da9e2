export { createClient, sha256, uniqueText, type Client, type Reply, type UploadOptions } from './client.js'
export { eicar, elf, png, tarGz, zip } from './samples.js'
export { admin } from './admin-cli.js'
